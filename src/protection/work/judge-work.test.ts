import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Grant } from "./grant.ts";
import { judgeWork, strays } from "./judge-work.ts";

let workspace = "";
let crew = "";

beforeAll(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "work-")));
  workspace = join(root, "slots", "1");
  crew = join(root, "home", "crew");
  mkdirSync(workspace, { recursive: true });
});

const grant = (more: Partial<Grant> = {}): Grant => ({
  id: "r.t.1",
  agent: "claude-code",
  workspace,
  folder: join(crew, "runs/r/t/1"),
  access: "write",
  allowCommands: [],
  mayPush: false,
  offLimits: [crew, join(workspace, "..")],
  ...more,
});

const bash = (command: string) => ({ name: "bash", input: { command } });
const judge = (call: { name: string; input: Record<string, unknown> }, more: Partial<Grant> = {}) =>
  judgeWork(grant(more), call, workspace);

describe("a role that only reads", () => {
  it.each([
    "ls -la",
    "cat README.md | head -5 && git log --oneline -3",
    "git diff HEAD~1 -- src 2>/dev/null",
    "grep -rn 'x > y' src; find . -name '*.ts' | xargs wc -l",
    "sed -n 1,40p src/a.ts",
    "cd src && git --no-pager show HEAD:a.ts | sort | uniq -c",
    'seam crew send build "look at src/a.ts"',
    "git branch --show-current; git status --short",
  ])("may run %j", (command) => {
    expect(judge(bash(command), { access: "read" })).toBeUndefined();
  });

  it.each([
    "echo x > file",
    "touch a",
    "rm -rf src",
    "git commit -am x",
    "git checkout main",
    "git stash",
    "git diff --output=x",
    "git branch new",
    "sed -i s/a/b/ f",
    "sed -n 'w out' f",
    "find . -delete",
    "find . -exec touch {} +",
    "npm test",
    'node -e \'require("fs").writeFileSync("x","")\'',
    'python3 -c \'open("x","w")\'',
    "sh script.sh",
    "$CMD",
    "`cat cmd`",
    "GIT_EXTERNAL_DIFF=./evil git diff",
    "awk 'BEGIN{system(\"touch x\")}'",
    "sort -o out in",
    "ls | tee out",
    "xargs touch < list",
    "cp a b",
    "sudo ls",
    "curl https://example.org -o x",
  ])("may not run %j", (command) => {
    expect(judge(bash(command), { access: "read" })).toContain("only reads");
  });

  it("may run what its role allows beside that, and nothing with it", () => {
    const more = { access: "read", allowCommands: ["npm test*", "make check"] } as const;
    expect(
      judge(bash("npm test -- src"), { ...more, allowCommands: [...more.allowCommands] }),
    ).toBeUndefined();
    expect(
      judge(bash("npm test && rm x"), { ...more, allowCommands: [...more.allowCommands] }),
    ).toContain("only reads");
    expect(
      judge(bash("npm test > x"), { ...more, allowCommands: [...more.allowCommands] }),
    ).toContain("only reads");
  });

  it.each(["write", "edit", "mcp__files__delete", "NotebookEdit"])("may not use %s", (name) => {
    expect(judge({ name, input: { path: "a.txt" } }, { access: "read" })).toContain("only reads");
  });

  it.each(["read", "grep", "find", "ls", "todo", "mcp__seam__crew_send"])("may use %s", (name) => {
    expect(judge({ name, input: { path: "a.txt" } }, { access: "read" })).toBeUndefined();
  });
});

describe("a role that writes", () => {
  it("works in its workspace and in temporary folders", () => {
    expect(judge({ name: "write", input: { path: "src/a.ts" } })).toBeUndefined();
    expect(judge(bash("npm test > /dev/null && echo x > out.txt"))).toBeUndefined();
    expect(judge(bash("git add -A && git commit -m done"))).toBeUndefined();
  });

  it.each([
    ["another workspace", "../2/a.ts"],
    ["files of others", "/etc/notes.txt"],
    ["the link to its repository", ".git"],
  ])("does not write to %s", (_, path) => {
    expect(judge({ name: "write", input: { path } })).toBeDefined();
    expect(judge(bash(`echo x > ${path}`))).toBeDefined();
  });

  it("does not touch the crew's own files", () => {
    expect(judge({ name: "edit", input: { path: join(crew, "crew.db") } })).toContain(
      "crew itself",
    );
  });

  it("is held to the files that its task declares", () => {
    const files = ["src/**/*.ts", "docs"];
    expect(judge({ name: "edit", input: { path: "src/a/b.ts" } }, { files })).toBeUndefined();
    expect(judge({ name: "write", input: { path: "docs/x/y.md" } }, { files })).toBeUndefined();
    expect(judge({ name: "write", input: { path: "package.json" } }, { files })).toContain(
      "package.json",
    );
    expect(judge(bash("echo x >> README.md"), { files })).toContain("README.md");
    expect(strays(["src/a.ts", "README.md"], files)).toEqual(["README.md"]);
  });

  it.each(["git push", "git -C . push origin main", "gh pr create", "npm publish"])(
    "does not send its work away with %j unless it may",
    (command) => {
      expect(judge(bash(command))).toContain("pushed");
      expect(judge(bash(command), { mayPush: true })).toBeUndefined();
    },
  );

  it.each([
    "git worktree remove ../2",
    "git branch -D seam/tasks/r/t",
    "git update-ref refs/heads/seam/crew/r HEAD",
  ])("does not manage what is Seam's: %j", (command) => {
    expect(judge(bash(command))).toContain("Seam's");
  });

  it.each([".env", "config/.env.production", "/home/x/.ssh/id_rsa", "server.pem"])(
    "does not touch %s",
    (path) => {
      expect(judge({ name: "read", input: { path } })).toContain("secrets");
      expect(judge(bash(`cat ${path}`))).toContain("secrets");
    },
  );

  it("may read what only looks like a secret", () => {
    expect(judge({ name: "read", input: { path: ".env.example" } })).toBeUndefined();
  });
});
