import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Hooked } from "../test-kit/hooked.ts";
import { newFolder, Project } from "../test-kit/project.ts";
import { gitHooksHealth, hasGitHooks, installGitHooks, removeGitHooks } from "./install.ts";
import { type GitRequest, parseGitRequest, writeGitRequest } from "./request.ts";
import { GIT_HOOKS } from "./script.ts";

const FILE = ".git/COMMIT_EDITMSG";
const ID: unknown = expect.stringMatching(/^[0-9a-f]{40}$/);

const ALL_OK = Object.fromEntries(GIT_HOOKS.map((hook) => [hook, "ok"]));

describe("a commit with hooks", () => {
  it("tells the client about message and commit", async () => {
    const project = new Hooked();
    expect(await project.install()).toEqual([...GIT_HOOKS]);
    project.write("a b.txt", "1");
    project.commit("Work");
    expect(await project.heard("prepare-commit-msg")).toMatchObject({
      cwd: project.root,
      args: [".git/COMMIT_EDITMSG", "message"],
    });
    expect(await project.heard("commit-msg")).toMatchObject({ args: [".git/COMMIT_EDITMSG"] });
    const commit = project.git("rev-parse", "HEAD");
    expect(await project.heard("post-commit")).toMatchObject({ hook: "post-commit", commit });
    const { pid = 0, hookPid, editor } = (await project.heard("prepare-commit-msg")) ?? {};
    expect(pid).toBeGreaterThan(1);
    expect(hookPid).toBeGreaterThan(1);
    expect(hookPid).not.toBe(pid);
    expect(editor).toBe(":");
    expect((await project.heard("post-commit"))?.pid).toBe(pid);
  });

  it("waits for no other program than the client where that one is compiled; what it does not wait for is spooled first", async () => {
    const project = new Hooked();
    await project.install();
    const run = join(project.home, ".seam/run");
    mkdirSync(join(run, "spool"), { recursive: true });
    const daemon = createServer();
    await new Promise<void>((listening) => daemon.listen(join(run, "daemon.sock"), listening));
    onTestFinished(() => {
      daemon.close();
    });
    const bin = newFolder();
    writeFileSync(join(bin, "perl"), `#!/bin/sh\necho "$*" >>'${bin}/started'\nexit 199\n`, {
      mode: 0o755,
    });
    const env = { ...project.env, PATH: `${bin}:${project.env.PATH}` };
    const commit = () =>
      execFileSync("git", ["commit", "-q", "--allow-empty", "-m", "x"], { cwd: project.root, env });
    writeFileSync(join(run, "compiled"), "");
    commit();
    expect(await project.heard("prepare-commit-msg")).toMatchObject({ cwd: project.root });
    expect(await project.heard("post-commit")).toBeDefined();
    const started = () => readFileSync(join(bin, "started"), "utf8").match(/git~[\w-]+/g);
    expect(started()).toEqual(["git~post-commit"]);
    rmSync(join(run, "compiled"));
    commit();
    expect(started()).toContain("git~prepare-commit-msg");
  });

  it("is over for who reads what it says although the last word to the client is not", async () => {
    const project = new Hooked();
    await project.install();
    const [go, gone] = [join(project.home, "go"), join(project.home, "gone-on")];
    // A pipe ends when the last process that could write to it is gone.
    const waits = `n=0; until [ -e '${go}' ] || [ $n -gt 30 ]; do sleep 0.1; n=$((n+1)); done`;
    const script = `cat >/dev/null; [ "$2" = post-commit ] || exit 0; ${waits}; echo $n >'${gone}'`;
    writeFileSync(join(project.home, ".seam/bin/hook"), `#!/bin/sh\n${script}\n`);
    project.commit("Work");
    expect(existsSync(gone)).toBe(false);
    writeFileSync(go, "");
  });

  it("starts nothing where no agent has work that waits", async () => {
    const project = new Hooked();
    await project.install();
    for (const mark of ["pending", "check-message"]) rmSync(join(project.root, ".git/seam", mark));
    project.commit("Work");
    expect(existsSync(project.told)).toBe(false);
  });

  it("tells of an amended message even then: its trailer would be lost", async () => {
    const project = new Hooked();
    await project.install();
    rmSync(join(project.root, ".git/seam/pending"));
    project.git("commit", "-q", "--amend", "--allow-empty", "-m", "Other words");
    expect(await project.heard("prepare-commit-msg")).toMatchObject({ args: [FILE, "message"] });
    rmSync(project.told, { recursive: true });
    project.git("commit", "-q", "--allow-empty", "-m", "Other\n\nwords", "--am");
    expect(await project.heard("prepare-commit-msg")).toMatchObject({ args: [FILE, "message"] });
    expect(await project.heard("post-rewrite")).toMatchObject({
      rewritten: [{ from: ID, to: project.git("rev-parse", "HEAD") }],
    });
  });

  it.each(["missing", "failing"])("goes through with a %s client", async (how) => {
    const project = new Hooked();
    await project.install();
    const client = join(project.home, ".seam/bin/hook");
    if (how === "missing") rmSync(client);
    else writeFileSync(client, "#!/bin/sh\nexit 7\n");
    const commit = project.commit("Work");
    expect(project.git("log", "-1", "--format=%H %s")).toBe(`${commit} Work`);
  });
});

describe("hooks that are there already", () => {
  it("run first, with their arguments and input, and can still stop a commit", async () => {
    const project = new Hooked();
    project.script(".git/hooks/commit-msg", 'grep -q BAD "$1" && exit 3; echo seen >>hook.log');
    project.script(".git/hooks/post-rewrite", 'echo "$1: $(cat)" >>hook.log');
    await project.install();
    expect(() => project.commit("BAD words")).toThrow();
    project.commit("Good words");
    project.git("commit", "-q", "--amend", "--allow-empty", "-m", "Better words");
    expect(project.read("hook.log")).toMatch(/^seen\nseen\namend: [0-9a-f]{40} [0-9a-f]{40}\n$/);
    expect(await project.heard("post-rewrite")).toMatchObject({
      rewritten: [{ from: ID, to: ID }],
    });
  });

  it("are back to the byte when Seam is taken out", async () => {
    const project = new Hooked();
    project.script(".git/hooks/post-commit", "exit 0 # mine");
    const before = readdirSync(join(project.root, ".git/hooks")).sort();
    await project.install();
    await project.install();
    await removeGitHooks(await project.repo());
    expect(readdirSync(join(project.root, ".git/hooks")).sort()).toEqual(before);
    expect(project.read(".git/hooks/post-commit")).toBe("#!/bin/sh\nexit 0 # mine\n");
  });

  it("are found when another tool writes over Seam's, and both run again", async () => {
    const project = new Hooked();
    await project.install();
    project.script(".git/hooks/post-commit", "echo tool >>tool.log");
    expect(await gitHooksHealth(await project.repo())).toMatchObject({ "post-commit": "replaced" });
    expect(await project.install()).toEqual(["post-commit"]);
    project.commit("Work");
    expect(project.read("tool.log")).toBe("tool\n");
    expect(await project.heard("post-commit")).toBeDefined();
  });

  it("are put back when they were deleted", async () => {
    const project = new Hooked();
    await project.install();
    rmSync(join(project.root, ".git/hooks/commit-msg"));
    expect(await gitHooksHealth(await project.repo())).toEqual({
      ...ALL_OK,
      "commit-msg": "missing",
    });
    expect(await project.install()).toEqual(["commit-msg"]);
    expect(await project.install()).toEqual([]);
  });
});

describe("another folder for hooks", () => {
  it("that git ignores (husky) gets Seam's hooks beside its own", async () => {
    const project = new Hooked();
    project.write(".husky/_/.gitignore", "*");
    project.script(".husky/_/post-commit", "echo husky >>husky.log");
    project.git("config", "core.hooksPath", ".husky/_");
    await project.install();
    project.commit("Work");
    expect(project.read("husky.log")).toBe("husky\n");
    expect(await project.heard("post-commit")).toBeDefined();
    expect(project.git("config", "core.hooksPath")).toBe(".husky/_");
  });

  it("that is in version control is left alone, and all its hooks still run", async () => {
    const project = new Hooked();
    project.script(".githooks/pre-commit", "echo pre >>.git/log");
    project.script(".githooks/post-commit", "echo post >>.git/log");
    project.commit("Hooks");
    project.git("config", "core.hooksPath", ".githooks");
    const status = project.git("status", "--porcelain");
    await project.install();
    expect(project.git("status", "--porcelain")).toBe(status);
    expect(await gitHooksHealth(await project.repo())).toEqual(ALL_OK);
    project.commit("Work");
    expect(project.read(".git/log")).toBe("pre\npost\n");
    expect(await project.heard("post-commit")).toBeDefined();
    await removeGitHooks(await project.repo());
    expect(project.git("config", "core.hooksPath")).toBe(".githooks");
    expect(existsSync(join(project.root, ".git/seam/hooks"))).toBe(false);
  });

  it("for all repositories of the user is left alone too", async () => {
    const project = new Hooked();
    const shared = newFolder();
    project.git("config", "--global", "core.hooksPath", shared);
    process.env.GIT_CONFIG_GLOBAL = join(project.home, ".gitconfig");
    try {
      await project.install();
      expect(readdirSync(shared)).toEqual([]);
      project.commit("Work");
      expect(await project.heard("post-commit")).toBeDefined();
      await removeGitHooks(await project.repo());
    } finally {
      delete process.env.GIT_CONFIG_GLOBAL;
    }
    expect(() => project.git("config", "--local", "core.hooksPath")).toThrow();
  });

  it("named anew by its tool is where hooks run from then on, Seam's with them", async () => {
    const project = ownFolder(".githooks");
    await project.install();
    project.script("other/pre-commit", "echo other >>.git/log");
    project.git("config", "core.hooksPath", "other");
    project.commit("Work");
    expect(project.read(".git/log")).toBe("other\n");
    expect(await project.heard("post-commit")).toBeDefined();
    project.git("config", "--unset", "core.hooksPath");
    project.script(".git/hooks/pre-commit", "echo usual >>.git/log");
    project.commit("More work");
    expect(project.read(".git/log")).toBe("other\nusual\n");
  });

  it.runIf(process.platform === "linux")(
    "is asked for once in a commit, and in the next one again",
    async () => {
      const project = ownFolder(".githooks");
      await project.install();
      const trace = join(project.home, "trace");
      const asked = () => {
        rmSync(trace, { force: true });
        const env = { ...project.env, GIT_TRACE2_EVENT: trace };
        const args = ["commit", "-q", "--allow-empty", "-m", "Work"];
        execFileSync("git", args, { cwd: project.root, env });
        const lines = readFileSync(trace, "utf8").split("\n");
        return lines.filter((line) => line.includes('"start"') && line.includes('"config"')).length;
      };
      expect([asked(), asked()]).toEqual([1, 1]);
      // A torn note, or one of another process, is no answer.
      for (const note of ["", "1 2 3\n/nowhere\n.\n", "1 2 3\n"]) {
        project.write(".git/seam/hooks/passed-on", note);
        expect(() => project.git("commit", "-q", "--allow-empty", "-m", "BAD")).toThrow();
      }
    },
  );

  it("still stops a commit when the repository was moved or Seam's folder deleted", async () => {
    for (const how of ["moved", "deleted"] as const) {
      const project = ownFolder(".githooks");
      const settings = project.read(".git/config");
      await project.install();
      const moved = join(newFolder(), "mo*ed [1] repo");
      if (how === "moved") renameSync(project.root, moved);
      else rmSync(join(project.root, ".git/seam"), { recursive: true });
      const root = how === "moved" ? moved : project.root;
      const commit = () => project.in(root, "commit", "-q", "--allow-empty", "-m", "BAD");
      expect(commit, how).toThrow();
      // In its new place Seam can be there again, and passes on.
      await installGitHooks(await project.repo(root));
      expect(await gitHooksHealth(await project.repo(root))).toEqual(ALL_OK);
      expect(commit, how).toThrow();
      await removeGitHooks(await project.repo(root));
      expect(readFileSync(join(root, ".git/config"), "utf8")).toBe(settings);
      expect(commit, how).toThrow();
    }
  });

  it("runs in linked work trees too, those that are added later included", async () => {
    const project = ownFolder(".githooks");
    await project.install();
    const linked = join(newFolder(), "linked");
    project.git("worktree", "add", "-q", linked);
    const commit = (text: string) =>
      project.in(linked, "commit", "-q", "--allow-empty", "-m", text);
    expect(() => commit("BAD")).toThrow();
    commit("Good");
    expect((await project.heard("post-commit"))?.cwd).toBe(linked);
  });

  it("gets back what an earlier version of Seam replaced, also after a move", async () => {
    for (const at of ["here", "moved"]) {
      for (const heal of [installGitHooks, removeGitHooks]) {
        const project = ownFolder(".githooks");
        const settings = project.read(".git/config");
        const old = join(at === "here" ? project.root : "/elsewhere", ".git/seam/hooks");
        project.git("config", "core.hooksPath", old);
        project.git("config", "seam.hooksPathBefore", ".githooks");
        const repo = await project.repo();
        expect(await hasGitHooks(repo)).toBe(true);
        await heal(repo);
        expect(project.git("config", "--no-includes", "core.hooksPath")).toBe(".githooks");
        expect(() => project.commit("BAD")).toThrow();
        await removeGitHooks(repo);
        expect(project.read(".git/config")).toBe(settings);
        expect(await hasGitHooks(repo)).toBe(false);
      }
    }
  });

  it("named after Seam came leaves nothing of Seam's behind when it is taken out", async () => {
    const project = new Hooked();
    project.script(".git/hooks/commit-msg", "true # mine");
    const before = readdirSync(join(project.root, ".git/hooks")).sort();
    await project.install();
    project.script(".githooks/pre-commit", "true");
    project.git("config", "core.hooksPath", ".githooks");
    const repo = await project.repo();
    expect(await hasGitHooks(repo)).toBe(true);
    await removeGitHooks(repo);
    expect(readdirSync(join(project.root, ".git/hooks")).sort()).toEqual(before);
    expect(project.read(".git/hooks/commit-msg")).toContain("mine");
    expect(await hasGitHooks(repo)).toBe(false);
  });
});

/** A project whose hooks are in version control; they let no message with BAD in it through. */
function ownFolder(name: string): Hooked {
  const project = new Hooked();
  project.script(`${name}/commit-msg`, '! grep -q BAD "$1"');
  project.commit("Hooks");
  project.git("config", "core.hooksPath", name);
  return project;
}

it("works from a linked work tree and in a submodule", async () => {
  const project = new Hooked();
  await project.install();
  const linked = join(newFolder(), "linked tree");
  project.git("worktree", "add", "-q", "-b", "other", linked);
  project.in(linked, "commit", "-q", "--allow-empty", "-m", "Work");
  expect((await project.heard("post-commit"))?.cwd).toBe(linked);

  const inner = new Project();
  project.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.root, "sub");
  const repo = await project.repo(join(project.root, "sub"));
  await installGitHooks(repo);
  expect(await gitHooksHealth(repo)).toEqual(ALL_OK);
});

it("understands only requests that are whole", () => {
  const whole = "/w\0.git\0\0" + "42\0" + "1\0arg\0rest";
  const from = { cwd: "/w", gitDir: ".git", pid: 42 };
  expect(parseGitRequest("commit-msg", whole)).toEqual({
    hook: "commit-msg",
    ...from,
    args: ["arg"],
  });
  expect(parseGitRequest("post-commit", whole)).toEqual({
    hook: "post-commit",
    ...from,
    commit: "rest",
  });
  expect(parseGitRequest("pre-auto-gc", whole)).toBeUndefined();
  for (const text of [
    "",
    "/w",
    "/w\0\0\0",
    "\0\0\0" + "1\0" + "0\0",
    "/w\0\0\0" + "1\0" + "3\0a\0",
  ]) {
    expect(parseGitRequest("commit-msg", text)).toBeUndefined();
  }
});

it.each<GitRequest>([
  { hook: "prepare-commit-msg", cwd: "/a b", pid: 7, hookPid: 8, editor: "vi -n", args: ["m", ""] },
  { hook: "commit-msg", cwd: "/w", pid: 7, indexFile: ".git/index", args: ["m"] },
  { hook: "post-commit", cwd: "/w", gitDir: ".git", pid: 7, hookPid: 8 },
  { hook: "post-commit", cwd: "/w", pid: 7, commit: "c0ffee" },
  { hook: "post-rewrite", cwd: "/w", pid: 7, rewritten: [{ from: "a", to: "b" }] },
  { hook: "post-rewrite", cwd: "/w", pid: 7, rewritten: [] },
])("a $hook that was written down is read again as it was", (request) => {
  expect(parseGitRequest(request.hook, writeGitRequest(request))).toEqual(request);
});
