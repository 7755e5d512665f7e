import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inProgress } from "../repo/in-progress.ts";
import { gitProcesses } from "../run/spawn-git.ts";
import {
  bytes,
  commitAll,
  init,
  opened,
  run,
  tempDir,
  withFiles,
  write,
} from "../test-kit/index.ts";
import { headOf } from "./head.ts";

const head = async (root: string) => headOf(await opened(root));

describe("HEAD", () => {
  it("is on a branch without commits", async () => {
    const unborn = { commit: undefined, branch: "main", detached: false, unborn: true };
    expect(await head(init())).toEqual(unborn);
  });

  it("is on a branch, loose or packed, without a process", async () => {
    const root = withFiles({ a: "1" });
    run(root, "checkout", "-q", "-b", "feature/ü");
    const commit = run(root, "rev-parse", "HEAD");
    const before = gitProcesses();
    const expected = { commit, branch: "feature/ü", detached: false, unborn: false };
    expect(await head(root)).toEqual(expected);
    run(root, "pack-refs", "--all", "--prune");
    expect(await head(root)).toEqual(expected);
    expect(gitProcesses()).toBe(before);
  });

  it("is detached", async () => {
    const root = withFiles({ a: "1" });
    run(root, "checkout", "-q", "--detach");
    const commit = run(root, "rev-parse", "HEAD");
    expect(await head(root)).toEqual({ commit, branch: undefined, detached: true, unborn: false });
  });

  it("is another one in every work tree", async () => {
    const root = withFiles({ a: "1" });
    const side = join(tempDir(), "side");
    run(root, "worktree", "add", "-q", "-b", "other", side);
    write(side, { b: "2" });
    const commit = commitAll(side);
    expect(await head(side)).toMatchObject({ branch: "other", commit });
    expect(await head(root)).toMatchObject({ branch: "main" });
  });

  it("may be a symbolic link, as it was long ago", async () => {
    const root = withFiles({ a: "1" });
    rmSync(join(root, ".git/HEAD"));
    symlinkSync("refs/heads/main", join(root, ".git/HEAD"));
    const commit = run(root, "rev-parse", "main");
    expect(await head(root)).toMatchObject({ branch: "main", commit });
    run(root, "pack-refs", "--all", "--prune");
    expect(await head(root)).toMatchObject({ branch: "main", commit });
  });

  it("may be on a branch whose name is not UTF-8", async () => {
    const root = withFiles({ a: "1" });
    const commit = run(root, "rev-parse", "HEAD");
    const name = Buffer.from("refs/heads/caf\xe9", "latin1");
    const path = Buffer.concat([Buffer.from(join(root, ".git/")), name]);
    writeFileSync(path, `${commit}\n`);
    writeFileSync(join(root, ".git/HEAD"), Buffer.concat([Buffer.from("ref: "), name]));
    expect(await head(root)).toMatchObject({ commit, detached: false });
  });

  it("is an error when its branch was damaged", async () => {
    const root = withFiles({ a: "1" });
    writeFileSync(join(root, ".git/refs/heads/main"), "");
    await expect(head(root)).rejects.toMatchObject({ code: "SEAM_GIT_REF" });
  });
});

describe("what git is in the middle of", () => {
  const state = async (root: string) => inProgress(await opened(root));

  /** Two branches that contradict each other in one file; the first is checked out. */
  function contradicting(): string {
    const root = withFiles({ a: "1\n" });
    run(root, "checkout", "-q", "-b", "other");
    write(root, { a: "2\n" });
    commitAll(root, "other");
    write(root, { a: "2\n", b: "2\n" });
    commitAll(root, "more");
    run(root, "checkout", "-q", "main");
    write(root, { a: "3\n" });
    commitAll(root, "mine");
    return root;
  }

  const fails = (root: string, ...args: string[]) => expect(() => run(root, ...args)).toThrow();

  it("is nothing, mostly", async () => {
    expect(await state(withFiles({ a: "1" }))).toBeUndefined();
    expect(await state(init())).toBeUndefined();
  });

  it.each([
    ["merge", ["merge", "other"]],
    ["cherry-pick", ["cherry-pick", "other~1"]],
    ["rebase", ["rebase", "other"]],
    ["rebase", ["rebase", "--apply", "other"]],
    ["revert", ["revert", "--no-edit", "other~1"]],
  ])("is a %s that waits for somebody: git %j", async (operation, args) => {
    const root = contradicting();
    fails(root, ...args);
    expect(await state(root)).toBe(operation);
  });

  it("is a series of picks, also between two of them", async () => {
    const root = contradicting();
    fails(root, "cherry-pick", "other~1", "other");
    write(root, { a: "4\n" });
    commitAll(root, "solved by hand");
    expect(await state(root)).toBe("cherry-pick");
  });

  it("is a bisection, or a mailed patch", async () => {
    const root = contradicting();
    run(root, "bisect", "start", "HEAD", "HEAD~1");
    expect(await state(root)).toBe("bisect");
    run(root, "bisect", "reset");
    const patch = bytes(root, ["format-patch", "--stdout", "other~1..other"]);
    write(root, { b: "in the way\n" });
    commitAll(root);
    const mail = join(tempDir(), "patch");
    writeFileSync(mail, patch);
    fails(root, "am", mail);
    expect(await state(root)).toBe("am");
  });

  it("is told of this work tree alone", async () => {
    const root = contradicting();
    const side = join(tempDir(), "side");
    run(root, "worktree", "add", "-q", side, "-b", "third");
    fails(side, "merge", "other");
    expect(await state(side)).toBe("merge");
    expect(await state(root)).toBeUndefined();
  });
});
