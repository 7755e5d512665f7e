import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { init, opened, run, setEnv, tempDir } from "../test-kit/index.ts";
import { git, runGit } from "./run-git.ts";
import { gitProcesses } from "./spawn-git.ts";

/** Prints the environment git passes on. */
const showEnv = ["-c", "alias.printenv=!env", "printenv"];

async function environment(cwd: string, env?: Record<string, string>): Promise<string[]> {
  return (await git(showEnv, { cwd, env })).toString().split("\n");
}

describe("git as a program", () => {
  it("gets its arguments as they are, not through a shell", async () => {
    const cwd = init();
    const odd = "$(touch broken) `x` ; * \"quoted\" 'too'\nline";
    const { stdout, code } = await runGit(["rev-parse", "--sq-quote", odd], { cwd });
    expect(code).toBe(0);
    expect(stdout.toString()).toContain("$(touch broken)");
  });

  it("returns bytes, the error text and the exit code", async () => {
    const cwd = init();
    const blob = Buffer.from([0, 255, 10, 128]);
    const id = (await git(["hash-object", "-w", "--stdin"], { cwd, input: blob, settings: [] }))
      .toString()
      .trim();
    expect(await git(["cat-file", "blob", id], { cwd })).toEqual(blob);
    const failed = await runGit(["cat-file", "blob", "nothing"], { cwd });
    expect(failed.code).toBe(128);
    expect(failed.stderr).toContain("nothing");
  });

  it("fails with its own words and the folder", async () => {
    const cwd = init();
    const failing = git(["cat-file", "blob", "nothing"], { cwd });
    await expect(failing).rejects.toMatchObject({
      code: "SEAM_GIT",
      message: expect.stringMatching(/^git cat-file failed: fatal: .*nothing/),
      next: expect.stringContaining(cwd),
    });
  });

  it("does not inherit the repository of a hook that started this process", async () => {
    const [cwd, other] = [init(), init()];
    setEnv("GIT_DIR", join(other, ".git"));
    setEnv("GIT_INDEX_FILE", "/somewhere/index");
    setEnv("GIT_WORK_TREE", other);
    setEnv("GIT_CONFIG_PARAMETERS", "'core.bare'='true'");
    setEnv("GIT_AUTHOR_NAME", "Somebody Else");
    const top = await git(["rev-parse", "--show-toplevel"], { cwd });
    expect(top.toString().trim()).toBe(cwd);
    const env = await environment(cwd);
    expect(env.filter((line) => /^GIT_(INDEX|WORK|AUTHOR)/.test(line))).toEqual([]);
    expect(await environment(cwd, { GIT_INDEX_FILE: "/mine" })).toContain("GIT_INDEX_FILE=/mine");
  });

  it("is told to take no optional locks, speak English and fetch nothing", async () => {
    const env = await environment(init());
    const told = ["GIT_OPTIONAL_LOCKS=0", "LC_ALL=C", "GIT_NO_LAZY_FETCH=1"];
    expect(env).toEqual(expect.arrayContaining(told));
  });

  it("runs nothing that its repository names, and finds none that is only a folder", async () => {
    const cwd = init();
    const ran = join(cwd, "ran");
    run(cwd, "config", "core.fsmonitor", `touch '${ran}'; false`);
    await git(["status"], { cwd, settings: [] });
    await git(["ls-files", "--others", "--error-unmatch", "--", "x"], { cwd }).catch(() => {});
    expect(existsSync(ran)).toBe(false);
    await expect(runGit(["status"], { cwd })).rejects.toThrow("ownFilters");
    const bare = init({ bare: true });
    expect((await runGit(["rev-parse", "--git-dir"], { cwd: bare })).code).toBe(128);
  });

  it("is counted", async () => {
    const cwd = init();
    const before = gitProcesses();
    await runGit(["version"], { cwd });
    await opened(cwd);
    expect(gitProcesses() - before).toBe(1);
  });

  it("need not read what it is given", async () => {
    const input = Buffer.alloc(8 << 20);
    expect((await runGit(["version"], { cwd: init(), input })).code).toBe(0);
  });
});

describe("what cannot be run", () => {
  it("says that git is not there", async () => {
    const cwd = init();
    setEnv("PATH", tempDir());
    await expect(runGit(["version"], { cwd })).rejects.toMatchObject({ code: "SEAM_GIT_MISSING" });
  });

  it("says that the folder is not there", async () => {
    const cwd = join(tempDir(), "gone");
    mkdirSync(cwd);
    rmSync(cwd, { recursive: true });
    await expect(runGit(["version"], { cwd })).rejects.toMatchObject({
      code: "SEAM_GIT",
      message: expect.stringContaining("is not there"),
    });
  });

  const endless = ["-c", "alias.wait=!sleep 3", "wait"];

  it("ends when aborted, though what it started goes on", async () => {
    const control = new AbortController();
    const running = runGit(endless, { cwd: init(), signal: control.signal });
    setTimeout(() => control.abort(new Error("enough")), 50);
    await expect(running).rejects.toThrow("enough");
    await expect(runGit(["version"], { cwd: "/", signal: control.signal })).rejects.toThrow(
      "enough",
    );
  });

  it("ends when it takes too long", async () => {
    const running = runGit(endless, { cwd: init(), timeoutMs: 50 });
    await expect(running).rejects.toMatchObject({
      code: "SEAM_GIT",
      message: expect.stringContaining("50 ms"),
    });
  });
});
