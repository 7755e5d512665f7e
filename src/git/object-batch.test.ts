import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { identityOf } from "./commits/identity.ts";
import { ObjectBatch } from "./object-batch.ts";
import { loosePath } from "./objects/loose-path.ts";
import { pinObjects, releasePins } from "./objects/pin.ts";
import { rawPath } from "./paths/raw-path.ts";
import { readRef } from "./refs/read-ref.ts";
import { isCollecting } from "./repo/is-collecting.ts";
import { runGit } from "./run/run-git.ts";
import { Child } from "./test-kit/child.ts";
import { bytes, complaints, run, storeOf, withFiles, write } from "./test-kit/index.ts";
import { editTree } from "./trees/edit-tree.ts";

const REF = "refs/seam/turns/x";

/** A repository, and a commit with two new files that no reference leads to yet. */
async function unpublished() {
  const root = withFiles({ "a/b": "1", c: "2" });
  const store = await storeOf(root);
  const batch = new ObjectBatch(store);
  write(root, { new: "from a file", big: Buffer.alloc(2 << 20, "big") });
  const file = await batch.writeBlobFromFile(join(root, "new"));
  const big = await batch.writeBlobFromFile(join(root, "big"));
  if (!("id" in file && "id" in big)) throw new Error("not stored");
  const blob = await batch.writeBlob(Buffer.from("from memory"));
  const tree = await editTree(batch, run(root, "rev-parse", "HEAD^{tree}"), [
    { path: rawPath("a/memory"), entry: { mode: "100644", id: blob } },
    { path: rawPath("new"), entry: file },
    { path: rawPath("big"), entry: big },
  ]);
  const me = await identityOf(batch.repo);
  const parents = [run(root, "rev-parse", "HEAD")];
  const commit = await batch.writeCommit({
    tree,
    parents,
    author: me,
    committer: me,
    message: "s",
  });
  return { root, batch, commit, blob, file, big };
}

const collect = (root: string) => run(root, "gc", "-q", "--prune=now");
const isThere = (root: string, id: string) => {
  try {
    bytes(root, ["cat-file", "-e", id]);
    return true;
  } catch {
    return false;
  }
};

describe("objects that were collected before a reference led to them", () => {
  it("are written again when it does", async () => {
    const { root, batch, commit, blob } = await unpublished();
    collect(root);
    expect(isThere(root, commit)).toBe(false);
    expect(isThere(root, blob)).toBe(false);
    expect(await batch.publish(REF, commit, null)).toEqual({ ok: true, before: undefined });
    expect(run(root, "show", `${commit}:a/memory`)).toBe("from memory");
    expect(run(root, "show", `${commit}:new`)).toBe("from a file");
    expect(complaints(root)).toBe("");
    collect(root);
    expect(complaints(root)).toBe("");
  });

  it("are written again also when only packs had them", async () => {
    const { root, batch, commit, blob } = await unpublished();
    run(root, "update-ref", "refs/heads/keep", commit);
    run(root, "gc", "-q");
    const again = new ObjectBatch(batch.store);
    expect(await again.writeBlob(Buffer.from("from memory"))).toBe(blob);
    run(root, "branch", "-D", "keep");
    run(root, "reflog", "expire", "--expire=now", "--all");
    collect(root);
    expect(isThere(root, blob)).toBe(false);
    await again.ensure();
    expect(isThere(root, blob)).toBe(true);
  });

  it("and whose file has changed since are not: the reference is not moved", async () => {
    const { root, batch, commit, big } = await unpublished();
    collect(root);
    writeFileSync(join(root, "big"), "other");
    await expect(batch.publish(REF, commit, null)).rejects.toMatchObject({
      code: "SEAM_GIT_OBJECT",
      details: { id: big.id },
    });
    expect(await readRef(batch.repo, REF)).toBeUndefined();
    expect(complaints(root)).toBe("");
  });

  it("and small files are remembered, whatever became of them", async () => {
    const { root, batch, commit, file } = await unpublished();
    collect(root);
    rmSync(join(root, "new"));
    await batch.publish(REF, commit, null);
    expect(run(root, "cat-file", "blob", file.id)).toBe("from a file");
  });
});

describe("objects that a late collector takes after the reference was moved", () => {
  it("are written again on a later look", async () => {
    const { root, batch, commit, blob } = await unpublished();
    await batch.publish(REF, commit, null);
    rmSync(loosePath(batch.repo, blob));
    expect(complaints(root)).not.toBe("");
    await batch.ensure();
    expect(complaints(root)).toBe("");
  });
});

describe("objects that are lost for good after the reference was moved", () => {
  it.each([true, false])("move it back to where it was (there before: %j)", async (wasThere) => {
    const { root, batch, commit } = await unpublished();
    const head = run(root, "rev-parse", "HEAD");
    if (wasThere) run(root, "update-ref", REF, head);
    const lost = "1".repeat(40);
    batch.needs(lost);
    const has = batch.store.has.bind(batch.store);
    let looks = 0;
    vi.spyOn(batch.store, "has").mockImplementation(async (id) =>
      id === lost ? ++looks === 1 : has(id),
    );
    await expect(batch.publish(REF, commit, wasThere ? head : null)).rejects.toMatchObject({
      details: { id: lost },
    });
    expect(await readRef(batch.repo, REF)).toBe(wasThere ? head : undefined);
    expect(looks).toBe(2);
  });
});

describe("what a batch builds upon", () => {
  it("must be there: otherwise the reference is not moved", async () => {
    const { root, batch, commit } = await unpublished();
    run(root, "checkout", "-q", "--orphan", "other");
    run(root, "commit", "-q", "-m", "other", "--allow-empty");
    run(root, "branch", "-D", "main");
    run(root, "reflog", "expire", "--expire=now", "--all");
    run(root, "rm", "-rq", "--cached", ".");
    run(root, "commit", "-q", "-m", "empty", "--amend", "--allow-empty");
    run(root, "reflog", "expire", "--expire=now", "--all");
    collect(root);
    await expect(batch.publish(REF, commit, null)).rejects.toMatchObject({
      code: "SEAM_GIT_OBJECT",
    });
    expect(await readRef(batch.repo, REF)).toBeUndefined();
    expect(complaints(root)).toBe("");
  });
});

describe("kill -9 at any moment", () => {
  it("leaves a whole repository, in which nothing is lost that was published", async () => {
    const root = withFiles({ "a/b": "1" });
    for (let round = 0; round < 6; round++) {
      const child = new Child("./snapshot-forever.ts", root, REF);
      await child.said();
      await new Promise((resolve) => setTimeout(resolve, 20 + 37 * round));
      const published = (await child.killed()).at(-1) ?? "";
      // What an error would tell the user to do.
      rmSync(join(root, ".git", `${REF}.lock`), { force: true });
      expect(complaints(root)).toBe("");
      expect(run(root, "merge-base", published, REF)).toBe(published);
    }
    const left = join(root, ".git/objects/tmp_obj_of_a_killed_process");
    writeFileSync(left, "half");
    expect(complaints(root)).toBe("");
    collect(root);
    expect(existsSync(left)).toBe(false);
  }, 60_000);
});

it("losing to somebody else is a result here too", async () => {
  const { root, batch, commit } = await unpublished();
  const head = run(root, "rev-parse", "HEAD");
  run(root, "update-ref", REF, head);
  expect(await batch.publish(REF, commit, null)).toEqual({ ok: false, actual: head });
  expect(run(root, "rev-parse", REF)).toBe(head);
});

it("knows whether a collector is at work", async () => {
  const { root, batch } = await unpublished();
  expect(isCollecting(batch.repo)).toBe(false);
  const host = run(root, "-c", "alias.name=!uname -n", "name");
  const pidFile = join(root, ".git/gc.pid");
  writeFileSync(pidFile, `${process.pid} ${host}`);
  expect(isCollecting(batch.repo)).toBe(true);
  writeFileSync(pidFile, `${process.pid} another-machine`);
  expect(isCollecting(batch.repo)).toBe(true);
  writeFileSync(pidFile, `4194999 ${host}`);
  expect(isCollecting(batch.repo)).toBe(false);
  expect(readFileSync(pidFile, "utf8")).toContain(host);
});

describe("what is published while git gc runs", () => {
  it("outlives what that deletes afterwards, though nobody looks again", async () => {
    const { root, batch, commit, blob, big } = await unpublished();
    const pid = join(root, ".git/gc.pid");
    writeFileSync(pid, `${process.pid} ${hostname()}`);
    expect(isCollecting(batch.repo)).toBe(true);
    expect((await batch.publish(REF, commit, null)).ok).toBe(true);
    // It made its list of what is reachable before the reference was moved.
    const loose = run(root, "rev-list", "--objects", "--no-object-names", commit, "^HEAD");
    for (const id of loose.split("\n")) rmSync(loosePath(batch.repo, id), { force: true });
    for (const id of [blob, big.id]) expect(existsSync(loosePath(batch.repo, id))).toBe(false);
    expect(complaints(root)).toBe("");
    expect(run(root, "cat-file", "blob", blob)).toBe("from memory");
    rmSync(pid);
    releasePins(batch.repo);
    const packs = readdirSync(join(root, ".git/objects/pack"));
    expect(packs.filter((name) => name.endsWith(".keep"))).toEqual([]);
    run(root, "gc", "-q", "--prune=now");
    expect(complaints(root)).toBe("");
    expect(run(root, "rev-parse", REF)).toBe(commit);
  });

  it("is kept as long as needed by a process that is killed, and let go by the next one", async () => {
    const { root, batch, commit } = await unpublished();
    const keeps = () =>
      readdirSync(join(root, ".git/objects/pack")).filter((name) => name.endsWith(".keep"));
    writeFileSync(join(root, ".git/gc.pid"), `${process.pid} ${hostname()}`);
    await batch.publish(REF, commit, null);
    expect(keeps()).toHaveLength(1);
    rmSync(join(root, ".git/gc.pid"));
    await new ObjectBatch(batch.store).publish(REF, commit, commit);
    expect(keeps()).toEqual([]);
  });

  it("is not disturbed by a prune, which deletes temporary folders beside the objects", async () => {
    const { root, batch, commit } = await unpublished();
    await batch.publish(REF, commit, null);
    const ids = run(root, "rev-list", "--objects", "--no-object-names", commit).split("\n");
    let isOver = false;
    const prunes = (async () => {
      while (!isOver) await runGit(["prune", "--expire=now"], { cwd: root });
    })();
    const pinned: boolean[] = [];
    try {
      for (let n = 0; n < 12; n++) pinned.push(await pinObjects(batch.repo, ids));
    } finally {
      isOver = true;
      await prunes;
    }
    expect(pinned).toEqual(Array.from({ length: 12 }, () => true));
    expect(complaints(root)).toBe("");
  });

  it("leaves no unfinished copy of a process that was killed", async () => {
    const { root, batch } = await unpublished();
    const pins = join(root, ".git/objects/info/seam-pins");
    const long = new Date(Date.now() - 3_600_000);
    for (const name of ["making-old", "making-new"])
      mkdirSync(join(pins, name), { recursive: true });
    utimesSync(join(pins, "making-old"), long, long);
    releasePins(batch.repo);
    expect(readdirSync(pins)).toEqual(["making-new"]);
  });
});
