import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { confined } from "./confined.ts";
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
    "git branch -avv; git tag --list 'v*'; git config --get user.name",
    "sed -n '/^function/,/^}/p;$=' a.ts | sed -e 's/a/b/g' -e 's|x|y|'",
    "awk -F'|' '{ print $2 }' a.txt",
    'for f in *.ts; do [ -f "$f" ] && head -1 "$f"; done',
    "LC_ALL=C /usr/bin/sort -u a.txt; echo $((1 + 2))",
    "[[ -f a.txt && $x == y* ]] && cat a.txt",
    "date -d yesterday +%F; hostname -f",
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
    "./ls",
    "node_modules/.bin/cat a",
    "/tmp/git log",
    "HOME=. git log",
    "RIPGREP_CONFIG_PATH=rc rg x",
    "GCONV_PATH=. iconv a",
    "for PATH in .; do ls; done",
    "printf -v PATH .; ls",
    "test -v 'a[$(touch x)]'",
    "[[ -v 'a[$(touch x)]' ]]",
    "[[ $x -eq 1 ]]",
    "x=$(head -1 a); echo $((x + 1))",
    `x='a[$(touch x)]'; echo \${y:x}`,
    `x='$(touch x)'; echo \${x@P}`,
    `x='a[$(touch x)]'; echo \${!x}`,
    "a[x]=1",
    "((x++))",
    "awk -f evil.awk a",
    "awk --file=evil a",
    "awk -d a '1' a",
    "sed -f evil.sed a",
    "sed --expression='w x' a",
    "sed 's|a|touch x|e' a",
    "sed 's#a#b#w x' a",
    "sed -n '$w x' a",
    "sed -n '1{w x' -e '}' a",
    "sort --out=x a",
    "sort -uox a",
    "tree -ao x",
    "fd -Hx touch",
    "file -bC -m x",
    "hostname -Fx",
    "date 010100002030",
    "git help -w log",
    "git config user.name evil",
    "git config user.name evil get",
    "git stash show -p --output=x",
    "git shortlog --output=x",
    "git reflog --output=x",
    "git branch -D main",
    "git branch -m a b",
    "git tag -d v1",
    "git remote prune origin",
    "git grep -Ovi x",
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
      judge(bash("./npm test"), { ...more, allowCommands: [...more.allowCommands] }),
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

describe("a role that only reads, in a sandbox", () => {
  const inSandbox = (): Partial<Grant> => ({ access: "read", sandbox: ["/bin/bwrap", "sh", "-c"] });
  const inside = (command: string) => confined(grant(inSandbox()), bash(command));
  const judged = (command: string) => judge(bash(command), inSandbox());

  it("runs there what is not known to only read, and the rest as it is", () => {
    expect(judged("npm test")).toBeUndefined();
    expect(inside("npm run")).toBe("/bin/bwrap sh -c 'npm run'");
    expect(inside("git log")).toBeUndefined();
    expect(confined(grant(), bash("npm test"))).toBeUndefined();
  });

  it("is told before it tries where that would fail", () => {
    expect(judged("echo x > made.txt")).toContain("It writes to made.txt");
    expect(judged("make > /tmp/log")).toBeUndefined();
    expect(judged("git push")).toContain("pushed");
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

describe("what a person decides", () => {
  it.each([
    "seam crew land last",
    "seam crew answer r.t.0.stuck-1 yes",
    "cd .. && seam crew budget last --dollars 500",
    "npx agentseam crew land",
    "node /usr/lib/node_modules/agentseam/dist/bin/seam.js inbox answer 1 yes",
    'sh -c "seam trust --yes"',
    "/usr/local/bin/seam disable",
    "env -u SEAM_CREW_ATTEMPT seam crew land last",
  ])("no agent of a crew decides: %s", (command) => {
    expect(judge(bash(command))).toContain("for a person to decide");
  });

  it.each([
    "seam crew send build hello",
    "seam crew status",
    "seam search dates",
    "seam crew ask x",
  ])("an agent of a crew may speak and look: %s", (command) => {
    expect(judge(bash(command))).toBeUndefined();
  });
});
