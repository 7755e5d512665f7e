import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Hooked } from "../test-kit/hooked.ts";
import { newFolder } from "../test-kit/project.ts";
import { gitHooksHealth, hasGitHooks, installGitHooks, removeGitHooks } from "./install.ts";
import { GIT_HOOKS } from "./script.ts";

const ALL_OK = Object.fromEntries(GIT_HOOKS.map((hook) => [hook, "ok"]));

/** Hooks that git started for a commit, as it says itself. */
function startedBy(project: Hooked, ...args: string[]): string[] {
  const trace = join(newFolder(), "trace");
  const env = { ...project.env, GIT_TRACE2_EVENT: trace };
  const all = ["commit", "-q", "--allow-empty", ...args];
  execFileSync("git", all, { cwd: project.root, env, stdio: "ignore" });
  const text = readFileSync(trace, "utf8");
  return [...text.matchAll(/"child_class":"hook".*?"hook_name":"([^"]+)"/g)].map(
    ([, x]) => x ?? "",
  );
}

describe("a hook with nothing to do yet", () => {
  const HOOKS = ".git/hooks";
  const MARKS = ["pending", "check-message"];

  /** Enabled, and no agent worked there. */
  async function quiet(prepare?: (project: Hooked) => void): Promise<Hooked> {
    const project = new Hooked();
    for (const mark of MARKS) rmSync(join(project.root, ".git/seam", mark));
    prepare?.(project);
    await project.install();
    return project;
  }

  it("rests, and git starts one shell for a commit where no agent worked", async () => {
    const project = await quiet();
    expect(startedBy(project, "-m", "Quiet")).toEqual(["prepare-commit-msg"]);
    expect(await gitHooksHealth(await project.repo())).toEqual(ALL_OK);
  });

  it("is woken by the commit that has something for it", async () => {
    const project = await quiet();
    for (const mark of MARKS) project.write(`.git/seam/${mark}`, "");
    expect(startedBy(project, "-m", "Work")).toEqual([
      "prepare-commit-msg",
      "commit-msg",
      "post-commit",
    ]);
    const commit = project.git("rev-parse", "HEAD");
    expect(await project.heard("post-commit")).toMatchObject({ commit });
    expect(await project.heard("commit-msg")).toBeDefined();
  });

  it("is woken by a commit in another work tree too", async () => {
    const project = await quiet();
    const linked = join(newFolder(), "linked");
    project.git("worktree", "add", "-q", linked);
    project.write(".git/seam/pending", "");
    project.in(linked, "commit", "-q", "--allow-empty", "-m", "There");
    expect((await project.heard("post-commit"))?.cwd).toBe(linked);
  });

  it("is in its place with the next prompt, and nothing was lost", async () => {
    const project = await quiet();
    for (const mark of MARKS) project.write(`.git/seam/${mark}`, "");
    const lost: string[] = [];
    expect(await installGitHooks(await project.repo(), (what) => lost.push(what))).toEqual([]);
    expect(lost).toEqual([]);
    const names = readdirSync(join(project.root, HOOKS));
    expect(names).toEqual(expect.arrayContaining([...GIT_HOOKS]));
    expect(names.filter((name) => name.includes("resting"))).toEqual([]);
  });

  it("does not go to rest again: git may have found it and be about to run it", async () => {
    const project = await quiet();
    project.write(".git/seam/pending", "");
    startedBy(project, "-m", "Work");
    rmSync(join(project.root, ".git/seam/pending"));
    startedBy(project, "-m", "Quiet");
    await project.install();
    expect(startedBy(project, "-m", "Quiet")).toEqual(["prepare-commit-msg", "post-commit"]);
  });

  it("that somebody deleted while it rested is missing", async () => {
    const project = await quiet();
    rmSync(join(project.root, HOOKS, "post-commit.seam-resting"));
    expect(await gitHooksHealth(await project.repo())).toEqual({
      ...ALL_OK,
      "post-commit": "missing",
    });
    expect(await project.install()).toEqual(["post-commit"]);
  });

  it("does not rest where it runs the user's own hook", async () => {
    const project = await quiet((before) => {
      before.script(`${HOOKS}/commit-msg`, "echo mine >>.git/log");
    });
    expect(startedBy(project, "-m", "One")).toEqual(["prepare-commit-msg", "commit-msg"]);
    rmSync(join(project.root, HOOKS, "commit-msg"));
    await project.install();
    expect(startedBy(project, "-m", "Two")).toEqual(["prepare-commit-msg", "commit-msg"]);
    expect(project.read(".git/log")).toBe("mine\nmine\n");
  });

  it("does not rest in a folder of Seam's: the user may add a hook to the other one", async () => {
    const project = await quiet((before) => {
      before.script(".githooks/pre-commit", "exit 0");
      before.git("add", ".githooks");
      before.git("config", "core.hooksPath", ".githooks");
    });
    project.script(".githooks/post-commit", "echo mine >>.git/log");
    project.script(".githooks/commit-msg", "echo message >>.git/log");
    startedBy(project, "-m", "Quiet");
    expect(project.read(".git/log")).toBe("message\nmine\n");
  });

  it("leaves a hook that came in its place alone, and is run before it from the next prompt on", async () => {
    const project = await quiet();
    project.script(`${HOOKS}/post-commit`, "echo mine >>.git/log");
    project.write(".git/seam/pending", "");
    startedBy(project, "-m", "Work");
    expect(project.read(".git/log")).toBe("mine\n");
    expect(await project.install()).toEqual(["post-commit"]);
    startedBy(project, "-m", "More work");
    expect(project.read(".git/log")).toBe("mine\nmine\n");
    expect(await project.heard("post-commit")).toBeDefined();
    await removeGitHooks(await project.repo());
    expect(project.read(`${HOOKS}/post-commit`)).toBe("#!/bin/sh\necho mine >>.git/log\n");
  });

  it("that cannot be woken does not keep a commit from being made", async () => {
    const project = await quiet();
    project.write(".git/seam/pending", "");
    // Whoever is root may write anywhere: a mv that fails stands for a folder that cannot be written.
    const bin = newFolder();
    writeFileSync(join(bin, "mv"), "#!/bin/sh\necho no >&2\nexit 1\n", { mode: 0o755 });
    const env = { ...project.env, PATH: `${bin}:${process.env.PATH}` };
    const args = ["commit", "-q", "--allow-empty", "-m", "Work"];
    const { status, stderr } = spawnSync("git", args, { cwd: project.root, env });
    expect([status, `${stderr}`]).toEqual([0, ""]);
    startedBy(project, "-m", "More work");
    expect(await project.heard("post-commit")).toBeDefined();
  });

  it("is taken out with the others", async () => {
    let before: string[] = [];
    const project = await quiet(({ root }) => {
      before = readdirSync(join(root, HOOKS)).sort();
    });
    for (const hook of ["prepare-commit-msg", "post-rewrite", "pre-push"]) {
      rmSync(join(project.root, HOOKS, hook));
    }
    const repo = await project.repo();
    expect(await hasGitHooks(repo)).toBe(true);
    await removeGitHooks(repo);
    expect(await hasGitHooks(repo)).toBe(false);
    expect(readdirSync(join(project.root, HOOKS)).sort()).toEqual(before);
  });
});
