import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { init, run, setEnv, tempDir } from "../test-kit/index.ts";
import { gitProgram } from "./git-program.ts";
import { runGit } from "./run-git.ts";

/** A folder with a program called git that leaves a trace. */
function baitIn(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const ran = join(folder, "ran");
  writeFileSync(join(bin, "git"), `#!/bin/sh\n: >'${ran}'\n`);
  chmodSync(join(bin, "git"), 0o755);
  return bin;
}

describe("a git that a project brings along", () => {
  it("is not run, neither there nor in another repository", async () => {
    const [project, other] = [init(), init()];
    setEnv("PATH", `${baitIn(project)}:${process.env.PATH}`);
    for (const cwd of [project, join(project, "bin"), other]) {
      expect((await runGit(["version"], { cwd })).stdout.toString()).toMatch(/^git version/);
    }
    expect(existsSync(join(project, "ran"))).toBe(false);
  });

  it("is not run where the PATH leads to it through a link, or from where git is started", async () => {
    const project = init();
    const bin = baitIn(project);
    const outside = tempDir();
    symlinkSync(join(bin, "git"), join(outside, "git"));
    setEnv("PATH", `${outside}:.:bin::${process.env.PATH}`);
    expect((await runGit(["version"], { cwd: project })).code).toBe(0);
    expect((await runGit(["version"], { cwd: bin })).code).toBe(0);
    expect(existsSync(join(project, "ran"))).toBe(false);
  });

  it("is none at all, if there is no other", async () => {
    const project = init();
    setEnv("PATH", baitIn(project));
    await expect(runGit(["version"], { cwd: project })).rejects.toMatchObject({
      code: "SEAM_GIT_MISSING",
    });
    expect(existsSync(join(project, "ran"))).toBe(false);
  });

  it("is run for others only where nothing else is there, and never of a recorded one", () => {
    const [project, other] = [init(), init()];
    const bin = baitIn(project);
    expect(gitProgram(other, bin).path).toBe(join(bin, "git"));
    mkdirSync(join(project, ".git/seam"));
    expect(() => gitProgram(other, bin)).toThrow(/git/);
  });
});

it("what filters find on the PATH is nothing of the project's, and all else", () => {
  const project = init();
  const bin = baitIn(project);
  const tools = join(init(), "tools");
  const usual = `/usr/local/bin:/usr/bin:/bin:${tools}`;
  expect(gitProgram(project, `${bin}:./bin:${usual}`).searched).toBe(usual);
});

it("a home folder under git is the user's own", () => {
  const home = tempDir();
  run(home, "init", "-q");
  setEnv("HOME", home);
  const bin = baitIn(home);
  expect(gitProgram(init(), bin).path).toBe(join(bin, "git"));
});
