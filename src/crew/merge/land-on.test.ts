import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  commitAll,
  complaints,
  type Files,
  run,
  withFiles,
  write,
} from "../../git/test-kit/index.ts";
import { landOn, undoLand } from "./land-on.ts";

const TARGET = "seam/crew/r";

/** A repository whose run has made these files, with the user on main. */
function finished(files: Files) {
  const root = withFiles({ a: "1\n", b: "1\n" });
  run(root, "checkout", "-q", "-b", TARGET);
  write(root, files);
  const work = commitAll(root, "the run's");
  run(root, "checkout", "-q", "main");
  const tip = () => run(root, "rev-parse", "main");
  const status = () => run(root, "status", "--porcelain");
  return { root, work, before: tip(), tip, status, land: () => landOn(root, TARGET, "main") };
}

const read = (root: string, name: string) => readFileSync(join(root, name), "utf8");

describe("what a run made lands", () => {
  it("in the checkout of its branch, beside other changes of the user's", async () => {
    const { root, work, before, tip, status, land } = finished({ a: "2\n", c: "c\n" });
    write(root, { b: "the user's\n", own: "o" });
    expect(await land()).toEqual({
      kind: "landed",
      branch: "main",
      before,
      after: work,
      checkouts: [root],
    });
    expect([tip(), read(root, "a"), read(root, "c")]).toEqual([work, "2\n", "c\n"]);
    expect(status()).toBe(" M b\n?? own");
    expect(await land()).toEqual({ kind: "contained", branch: "main", at: work });
  });

  it("with a merge where the branch has commits of its own", async () => {
    const { root, work, status, land } = finished({ a: "2\n" });
    write(root, { b: "2\n" });
    const own = commitAll(root, "the user's");
    expect(await land()).toMatchObject({ kind: "landed", before: own });
    expect(run(root, "rev-parse", "main^@").split("\n")).toEqual([own, work]);
    expect([read(root, "a"), read(root, "b"), status()]).toEqual(["2\n", "2\n", ""]);
    expect(complaints(root)).toBe("");
  });

  it("on a branch that nobody has checked out, without touching any file", async () => {
    const { root, work, tip, status, land } = finished({ a: "2\n" });
    run(root, "checkout", "-q", "-b", "elsewhere");
    expect(await land()).toMatchObject({ kind: "landed", checkouts: [] });
    expect([tip(), read(root, "a"), status()]).toEqual([work, "1\n", ""]);
  });

  it("in a worktree of its branch, wherever that is asked", async () => {
    const { root, work, land, tip } = finished({ a: "2\n" });
    run(root, "checkout", "-q", "--detach");
    const other = `${root}-tree`;
    run(root, "worktree", "add", "-q", other, "main");
    expect(await land()).toMatchObject({ kind: "landed", checkouts: [other] });
    expect([tip(), read(other, "a"), read(root, "a")]).toEqual([work, "2\n", "1\n"]);
    rmSync(other, { recursive: true });
  });
});

describe("what a run made does not land", () => {
  it("over changes of the user's, tracked or not, staged or not", async () => {
    const { root, before, tip, land } = finished({ a: "2\n", c: "c\n" });
    write(root, { c: "mine" });
    const refused = {
      kind: "held",
      reason: expect.stringContaining("overwritten"),
      next: expect.stringContaining("git merge seam/crew/r"),
    };
    expect(await land()).toMatchObject(refused);
    rmSync(join(root, "c"));
    write(root, { a: "mine" });
    expect(await land()).toMatchObject(refused);
    run(root, "add", "a");
    expect(await land()).toMatchObject({ kind: "held" });
    expect([tip(), read(root, "a"), existsSync(join(root, "c"))]).toEqual([before, "mine", false]);
  });

  it("where the branch changed the same lines", async () => {
    const { root, land, tip, status } = finished({ a: "2\n" });
    write(root, { a: "mine\n" });
    const own = commitAll(root);
    expect(await land()).toMatchObject({
      kind: "conflict",
      files: ["a"],
      words: ["CONFLICT (content): Merge conflict in a"],
      next: expect.stringContaining("git merge"),
    });
    expect([tip(), status()]).toEqual([own, ""]);
  });

  it("in the middle of a merge, or on a branch that is not there", async () => {
    const { root, before, tip, land } = finished({ a: "2\n" });
    writeFileSync(join(root, ".git/MERGE_HEAD"), `${before}\n`);
    expect(await land()).toMatchObject({
      kind: "held",
      reason: expect.stringContaining("a merge is in progress"),
    });
    expect(tip()).toBe(before);
    await expect(landOn(root, TARGET, "nowhere")).rejects.toMatchObject({
      code: "SEAM_CREW_BRANCH",
    });
  });

  it("through a filter that only the repository names", async () => {
    const { root, before, tip, land } = finished({
      "a.x": "2\n",
      ".gitattributes": "*.x filter=own\n",
    });
    run(root, "config", "filter.own.smudge", "cat");
    write(root, { ".git/info/attributes": "*.x filter=own\n" });
    expect(await land()).toMatchObject({
      kind: "held",
      reason: expect.stringContaining("a.x goes through a filter"),
    });
    expect(tip()).toBe(before);
  });
});

describe("a landing", () => {
  it("can be undone, and what the user changed meanwhile stays", async () => {
    const { root, before, tip, status, land } = finished({ a: "2\n", c: "c\n" });
    await land();
    write(root, { b: "the user's\n" });
    expect(await undoLand(root, "main")).toEqual({ kind: "undone", branch: "main", at: before });
    expect([tip(), read(root, "a"), status()]).toEqual([before, "1\n", " M b"]);
    expect(await undoLand(root, "main")).toMatchObject({ kind: "nothing" });
    expect(await land()).toMatchObject({ kind: "landed" });
    run(root, "checkout", "-q", "-b", "elsewhere");
    expect(await undoLand(root, "main")).toMatchObject({ kind: "undone" });
    expect(tip()).toBe(before);
  });

  it("is taken back under other commits, all of it, by what the user is told to type", async () => {
    const { root, land } = finished({ c: "c\n" });
    for (const task of ["d", "e"]) {
      run(root, "checkout", "-q", "-b", task, TARGET);
      write(root, { [task]: task });
      commitAll(root, task);
      run(root, "checkout", "-q", TARGET);
      run(root, "merge", "-q", "--no-ff", "-m", `Merge task ${task}`, task);
    }
    run(root, "checkout", "-q", "main");
    expect(await land()).toMatchObject({ kind: "landed" });
    write(root, { own: "o" });
    commitAll(root, "the user's");
    const undone = await undoLand(root, "main");
    const command = "next" in undone ? undone.next.replace(/^[^:]*: /, "") : "false";
    execFileSync("sh", ["-c", command], { cwd: root, stdio: "pipe" });
    expect(run(root, "ls-files").split("\n")).toEqual(["a", "b", "own"]);
  });

  it("is not undone over other commits, or over changed files", async () => {
    const { root, work, tip, land } = finished({ a: "2\n" });
    await land();
    write(root, { a: "mine" });
    expect(await undoLand(root, "main")).toMatchObject({
      kind: "held",
      next: expect.stringContaining("git reset --keep"),
    });
    expect(tip()).toBe(work);
    const more = commitAll(root);
    expect(await undoLand(root, "main")).toMatchObject({
      kind: "held",
      next: expect.stringContaining("git revert"),
    });
    expect(tip()).toBe(more);
  });

  it("that was broken off by a machine that went down is finished", async () => {
    const { root, work, tip, status, land } = finished({ a: "2\n", b: "2\n", c: "c\n" });
    // As git leaves it: some files written, the index not yet.
    write(root, { a: "2\n", c: "c\n" });
    writeFileSync(join(root, ".git/index.lock"), "");
    writeFileSync(join(root, ".git/seam-landing"), work);
    utimesSync(join(root, ".git/index.lock"), 1, 1);
    expect(await land()).toMatchObject({ kind: "landed" });
    expect([tip(), status(), read(root, "b")]).toEqual([work, "", "2\n"]);
  });
});
