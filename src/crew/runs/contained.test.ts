import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { bubblewrap } from "../containment/bubblewrap.ts";
import { makeScratch, type Scratch, taskOf, workflowOf } from "./test-kit/scratch-crew.ts";

const hasWalls = (await bubblewrap(["--dev-bind", "/", "/"])) !== undefined;

const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync("git", args, { cwd, encoding: "utf8" });

/** A project whose script does what no gate can see in the command that starts it. */
async function projectWith(script: string): Promise<Scratch> {
  const scratch = await makeScratch();
  writeFileSync(join(scratch.repository, "build.sh"), script);
  gitIn(scratch.repository, "add", "--all");
  gitIn(scratch.repository, "commit", "--quiet", "--message", "A script");
  return scratch;
}

/** One task that runs the script, in an environment of its own. */
async function runScript(scratch: Scratch) {
  const model = scratch.script("script", [
    { toolCalls: [{ name: "bash", arguments: { command: "sh build.sh" } }] },
    { text: "{lastToolResult}" },
  ]);
  const { crew, ended, asked } = await scratch.open();
  onTestFinished(() => crew.close());
  const run = await crew.start({
    ...scratch.place,
    workflow: workflowOf([taskOf("a", model)]),
    goal: "Build.",
  });
  return { crew, run, ended, asked };
}

it.skipIf(!hasWalls)(
  "a script that an agent starts changes its own worktree and nothing else of the user's",
  async () => {
    const scratch = await projectWith(`
      main=$(dirname "$(git rev-parse --path-format=absolute --git-common-dir)")
      echo mine > made.txt && git add made.txt && git -c user.name=a -c user.email=a@localhost commit -qm made
      echo x > "$main/README.md"
      echo x > "$main/new.txt"
      rm -rf "$main/build.sh"
      git config core.hooksPath /tmp
      echo x > "$main/.git/hooks/pre-commit"
      git update-ref refs/heads/main HEAD
      git branch -f elsewhere
      git checkout -qb other
      git -C "$main" reset -q --hard HEAD~1
      git stash drop
      echo x > "$SEAM_HOME/settings.json"
      echo x >> "$SEAM_HOME/crew/crew.db"
      mkdir ../99 && echo x > ../99/a
      true
    `);
    const { repository, home } = scratch;
    writeFileSync(join(home, "settings.json"), "{}\n");
    writeFileSync(join(repository, "README.md"), "# Not committed\n");
    gitIn(repository, "stash");
    writeFileSync(join(repository, "README.md"), "# Being written\n");
    const before = gitIn(repository, "for-each-ref", "refs/heads/main", "refs/stash");
    const config = readFileSync(join(repository, ".git/config"), "utf8");
    const { run, ended, crew } = await runScript(scratch);
    expect(await ended(run.id)).toBe("done");
    expect(readFileSync(join(repository, "README.md"), "utf8")).toBe("# Being written\n");
    expect(gitIn(repository, "status", "--porcelain")).toBe(" M README.md\n");
    expect(gitIn(repository, "for-each-ref", "refs/heads/main", "refs/stash")).toBe(before);
    expect(gitIn(repository, "branch", "--list", "elsewhere", "other")).toBe("");
    expect(readFileSync(join(repository, ".git/config"), "utf8")).toBe(config);
    expect(existsSync(join(repository, ".git/hooks/pre-commit"))).toBe(false);
    expect(readFileSync(join(home, "settings.json"), "utf8")).toBe("{}\n");
    const { attempts } = await crew.show(run.id);
    expect(existsSync(join(attempts[0]?.workspace ?? "", "../99"))).toBe(false);
    expect(gitIn(repository, "show", `${run.target}:made.txt`)).toBe("mine\n");
  },
);

it.skipIf(!hasWalls)(
  "a process that forgets its environment and its group ends with the agent that started it",
  async () => {
    // Others may run this test on the same machine.
    const stray = `seam-test-stray-${process.pid}`;
    const scratch = await projectWith(
      `echo x > made.txt\nenv -i setsid sh -c 'while :; do sleep 1; done' ${stray} >/dev/null 2>&1 &\n`,
    );
    const { run, ended } = await runScript(scratch);
    expect(await ended(run.id)).toBe("done");
    const all = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    expect(all).not.toContain(stray);
  },
);

it.skipIf(!hasWalls)(
  "walls are tried once before the agent starts inside of them: two starts of bubblewrap in all",
  async () => {
    const scratch = await projectWith("echo x > made.txt\n");
    const starts = join(scratch.root, "starts");
    const bin = join(scratch.root, "bin");
    const before = process.env.PATH ?? "";
    mkdirSync(bin);
    writeFileSync(
      join(bin, "bwrap"),
      `#!/bin/sh\necho start >>'${starts}'\nPATH='${before}' exec bwrap "$@"\n`,
      { mode: 0o700 },
    );
    process.env.PATH = `${bin}:${before}`;
    onTestFinished(() => {
      process.env.PATH = before;
    });
    const { run, ended } = await runScript(scratch);
    expect(await ended(run.id)).toBe("done");
    expect(readFileSync(starts, "utf8").trim().split("\n")).toHaveLength(2);
  },
);

/** All programs of this machine but bubblewrap. */
function withoutBubblewrap(scratch: Scratch): void {
  const bin = join(scratch.root, "bin");
  mkdirSync(bin);
  for (const folder of (process.env.PATH ?? "").split(":").filter(existsSync)) {
    for (const name of readdirSync(folder)) {
      if (name !== "bwrap" && !existsSync(join(bin, name))) {
        symlinkSync(join(folder, name), join(bin, name));
      }
    }
  }
  const before = process.env.PATH;
  process.env.PATH = bin;
  onTestFinished(() => {
    process.env.PATH = before;
  });
}

const STRAYS = `
  main=$(dirname "$(git rev-parse --path-format=absolute --git-common-dir)")
  echo made > made.txt
  echo changed > "$main/README.md"
  echo changed > "$main/draft.txt"
  git branch elsewhere
`;

it("where nothing can keep an agent out, a person is asked who changed the checkout, and both versions are kept", async () => {
  const scratch = await projectWith(STRAYS);
  withoutBubblewrap(scratch);
  const { repository } = scratch;
  writeFileSync(join(repository, "draft.txt"), "in no commit\n");
  const { crew, run, ended, asked } = await runScript(scratch);
  await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(1);
  const question = asked[0];
  expect(question).toMatchObject({ kind: "checkout", run: run.id });
  expect(question?.message.split("\n\n")[0]?.split("\n")).toEqual([
    "README.md",
    "draft.txt",
    "refs/heads/elsewhere",
  ]);
  const folder = /is kept in (.+)\.$/m.exec(question?.message ?? "")?.[1] ?? "";
  const kept = (name: string) => readFileSync(join(folder, name), "utf8");
  expect(kept("before/README.md")).toBe("# A project\n");
  expect(kept("after/README.md")).toBe("changed\n");
  expect(kept("before/draft.txt")).toBe("in no commit\n");
  await crew.answer(question?.id ?? "", "the task did it");
  expect(await ended(run.id)).toBe("failed");
  const [task] = (await crew.show(run.id)).tasks;
  expect(task?.reason).toContain("changed the checkout");
  expect(gitIn(repository, "show", `${task?.branch}:made.txt`)).toBe("made\n");
});

inFull(
  "what the user changed is theirs, and what an agent did not touch is not asked about",
  async () => {
    const scratch = await projectWith(STRAYS);
    withoutBubblewrap(scratch);
    const { crew, run, ended, asked } = await runScript(scratch);
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(1);
    await crew.answer(asked[0]?.id ?? "", "it was me");
    expect(await ended(run.id)).toBe("done");
    const model = scratch.script("quiet", [
      { toolCalls: [{ name: "write", arguments: { path: "b.txt", content: "b\n" } }] },
      { text: "Done." },
    ]);
    const quiet = await crew.start({
      ...scratch.place,
      workflow: workflowOf([taskOf("b", model)]),
      goal: "Write.",
    });
    expect(await ended(quiet.id)).toBe("done");
    expect(asked.length).toBe(1);
  },
);
