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
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ObjectStore } from "../objects/object-store.ts";
import { configOf } from "../repo/config.ts";
import type { Repo } from "../repo/repo.ts";
import { gitProcesses } from "../run/spawn-git.ts";
import { Child } from "../test-kit/child.ts";
import {
  bytes,
  commitAll,
  complaints,
  init,
  opened,
  run,
  withFiles,
  write,
} from "../test-kit/index.ts";
import { remountReadOnly, smallDisk } from "../test-kit/small-disk.ts";
import { readRef } from "./read-ref.ts";
import { updateRef } from "./update-ref.ts";

const REF = "refs/seam/turns/one";

async function repository(options?: { format?: "sha1" | "sha256" }) {
  const root = withFiles({ a: "1" }, options);
  const first = run(root, "rev-parse", "HEAD");
  write(root, { a: "2" });
  const second = commitAll(root);
  return { root, first, second, repo: await opened(root) };
}

const ways: readonly [string, (repo: Repo) => Repo, number][] = [
  ["by files", (repo) => repo, 0],
  ["by git", (repo) => ({ ...repo, isShared: true }), 1],
];

describe.each(ways)("a reference is moved %s", (_, as, processes) => {
  it("never in a repository that is gone, which does not come back", async () => {
    const { root, second, repo } = await repository();
    renameSync(root, `${root}-moved`);
    await expect(updateRef(as(repo), REF, second, null)).rejects.toThrow();
    expect(existsSync(root)).toBe(false);
    renameSync(`${root}-moved`, root);
  });

  it("when it is where the caller saw it", async () => {
    const { root, first, second, repo } = await repository();
    const before = gitProcesses();
    const created = await updateRef(as(repo), REF, first, null);
    expect(created).toEqual({ ok: true, before: undefined });
    expect(await updateRef(as(repo), REF, second, first)).toEqual({ ok: true, before: first });
    expect(gitProcesses() - before).toBe(2 * processes);
    expect(await updateRef(as(repo), REF, first, undefined)).toEqual({ ok: true, before: second });
    expect(run(root, "rev-parse", REF)).toBe(first);
    expect(complaints(root)).toBe("");
  });

  it("not when somebody else was faster", async () => {
    const { root, first, second, repo } = await repository();
    await updateRef(as(repo), REF, first, null);
    const lost = { ok: false, actual: first };
    expect(await updateRef(as(repo), REF, second, null)).toEqual(lost);
    expect(await updateRef(as(repo), REF, first, second)).toEqual(lost);
    expect(await updateRef(as(repo), REF, null, second)).toEqual(lost);
    expect(run(root, "rev-parse", REF)).toBe(first);
    const gone = { ok: false, actual: undefined };
    expect(await updateRef(as(repo), `${REF}-other`, second, first)).toEqual(gone);
    expect(existsSync(join(root, ".git", `${REF}.lock`))).toBe(false);
  });

  it("also when it is packed, and is deleted there too", async () => {
    const { root, first, second, repo } = await repository();
    run(root, "update-ref", REF, first);
    run(root, "pack-refs", "--all", "--prune");
    expect(await updateRef(as(repo), REF, second, null)).toEqual({ ok: false, actual: first });
    expect(await updateRef(as(repo), REF, second, first)).toEqual({ ok: true, before: first });
    expect(await updateRef(as(repo), REF, null, second)).toEqual({ ok: true, before: second });
    expect(await readRef(repo, REF)).toBeUndefined();
    expect(run(root, "for-each-ref", "refs/seam/")).toBe("");
    expect(await updateRef(as(repo), REF, null, null)).toEqual({ ok: true, before: undefined });
  });

  it("not where another name is in its way", async () => {
    const { root, first, repo } = await repository();
    run(root, "update-ref", REF, first);
    for (const state of ["loose", "packed"]) {
      if (state === "packed") run(root, "pack-refs", "--all", "--prune");
      for (const name of [`${REF}/below`, "refs/seam/turns"]) {
        await expect(updateRef(as(repo), name, first, null)).rejects.toMatchObject({
          code: expect.stringMatching(/^SEAM_GIT(_REF)?$/),
        });
      }
    }
    expect(run(root, "for-each-ref", "--format=%(refname)", "refs/seam/")).toBe(REF);
    expect(complaints(root)).toBe("");
  });

  it("where deleted references left their folders", async () => {
    const { root, first, repo } = await repository();
    mkdirSync(join(root, ".git", REF, "below/deep"), { recursive: true });
    expect(await updateRef(as(repo), REF, first, null)).toMatchObject({ ok: true });
    expect(run(root, "rev-parse", REF)).toBe(first);
  });

  it("through a symbolic one", async () => {
    const { root, first, second, repo } = await repository();
    run(root, "update-ref", "refs/seam/real", first);
    run(root, "symbolic-ref", "refs/seam/name", "refs/seam/real");
    const moved = await updateRef(as(repo), "refs/seam/name", second, first);
    expect(moved).toEqual({ ok: true, before: first });
    expect(run(root, "rev-parse", "refs/seam/real")).toBe(second);
    expect(run(root, "symbolic-ref", "refs/seam/name")).toBe("refs/seam/real");
  });

  it("not while it is locked: the lock stays, and the error says what to do", async () => {
    const { root, first, repo } = await repository();
    const lock = join(root, ".git", `${REF}.lock`);
    write(root, { [`.git/${REF}.lock`]: "" });
    await expect(updateRef(as(repo), REF, first, null, { patienceMs: 50 })).rejects.toMatchObject({
      code: "SEAM_GIT_LOCK",
      message: expect.stringContaining(lock),
      next: expect.stringContaining("remove that file"),
    });
    expect(existsSync(lock)).toBe(true);
  });

  it("in a repository with long ids", async () => {
    const { root, first, second, repo } = await repository({ format: "sha256" });
    await updateRef(as(repo), REF, first, null);
    expect(await updateRef(as(repo), REF, second, null)).toEqual({ ok: false, actual: first });
    expect(await updateRef(as(repo), REF, second, first)).toMatchObject({ ok: true });
    expect(run(root, "rev-parse", REF)).toBe(second);
  });
});

describe("a reference is left alone", () => {
  it("when the new object is not there", async () => {
    const { root, repo } = await repository();
    const missing = "1".repeat(40);
    await expect(updateRef(repo, REF, missing, null)).rejects.toMatchObject({ code: "SEAM_GIT" });
    expect(run(root, "for-each-ref", "refs/seam/")).toBe("");
  });

  it("when it is damaged", async () => {
    const { root, first, repo } = await repository();
    write(root, { [`.git/${REF}`]: "" });
    await expect(updateRef(repo, REF, first, null)).rejects.toMatchObject({ code: "SEAM_GIT_REF" });
    expect(readdirSync(join(root, ".git/refs/seam/turns"))).toEqual(["one"]);
  });
});

it("writes the reflog of a reference that has one", async () => {
  const { root, first, second, repo } = await repository();
  run(root, "update-ref", "--create-reflog", "-m", "made", REF, first);
  await updateRef(repo, REF, second, first, { message: "moved" });
  expect(run(root, "reflog", "show", "--format=%gs", REF)).toBe("moved\nmade");
});

describe.each(ways)("a branch is moved %s", (_, as, processes) => {
  const BRANCH = "refs/heads/seam/tasks/one";
  const logOf = (root: string, name: string) =>
    readFileSync(join(root, ".git/logs", name), "utf8").replaceAll(/ \d{10} [+-]\d{4}/g, "");
  const nothing = "0".repeat(40);

  it("with the reflog that git gives it", async () => {
    const { root, first, second, repo } = await repository();
    await configOf(repo);
    const before = gitProcesses();
    await updateRef(as(repo), BRANCH, first, null, { message: " it  begins\n" });
    await updateRef(as(repo), BRANCH, second, first, { message: "saved" });
    await updateRef(as(repo), BRANCH, second, undefined, { message: "nothing is new" });
    const lost = await updateRef(as(repo), BRANCH, first, first, { message: "too late" });
    expect(lost).toEqual({ ok: false, actual: second });
    await updateRef(as(repo), BRANCH, first, second);
    expect(gitProcesses() - before).toBe(5 * processes);
    const who = "Test User <test@example.com>";
    expect(logOf(root, BRANCH).split("\n")).toEqual([
      `${nothing} ${first} ${who}\tit begins`,
      `${first} ${second} ${who}\tsaved`,
      `${second} ${first} ${who}`,
      "",
    ]);
    expect(run(root, "rev-parse", BRANCH)).toBe(first);
    expect(run(root, "reflog", "show", "--format=%gs", "HEAD")).not.toContain("saved");
    expect(complaints(root)).toBe("");
  });

  it("with that of HEAD, where it is checked out", async () => {
    const { root, first, second, repo } = await repository();
    await updateRef(as(repo), "refs/heads/main", first, second, { message: "back" });
    for (const name of ["HEAD", "main"]) {
      expect(run(root, "reflog", "show", "-1", "--format=%H %gs", name)).toBe(`${first} back`);
    }
    expect(existsSync(join(root, ".git/HEAD.lock"))).toBe(false);
  });

  it("not while HEAD is locked, where it is checked out", async () => {
    const { root, first, second, repo } = await repository();
    write(root, { ".git/HEAD.lock": "" });
    const moving = updateRef(as(repo), "refs/heads/main", first, second, { patienceMs: 50 });
    await expect(moving).rejects.toMatchObject({ code: "SEAM_GIT_LOCK" });
    expect(run(root, "rev-parse", "main")).toBe(second);
  });

  it("to nothing but a commit", async () => {
    const { root, first, repo } = await repository();
    const tree = run(root, "rev-parse", `${first}^{tree}`);
    await expect(updateRef(as(repo), BRANCH, tree, null)).rejects.toMatchObject({
      code: "SEAM_GIT",
    });
    expect(await readRef(repo, BRANCH)).toBeUndefined();
  });

  it("where the reflogs of deleted ones left their folders", async () => {
    const { root, first, repo } = await repository();
    mkdirSync(join(root, ".git/logs", BRANCH, "below"), { recursive: true });
    expect(await updateRef(as(repo), BRANCH, first, null, { message: "m" })).toMatchObject({
      ok: true,
    });
    expect(run(root, "reflog", "show", "--format=%gs", BRANCH)).toBe("m");
  });

  it("without a reflog in a repository that keeps none", async () => {
    const { root, first, repo } = await repository();
    run(root, "config", "core.logAllRefUpdates", "false");
    await updateRef(as(repo), BRANCH, first, null, { message: "m" });
    expect(existsSync(join(root, ".git/logs", BRANCH))).toBe(false);
    expect(run(root, "rev-parse", BRANCH)).toBe(first);
  });
});

it("needs git when the new object is in a pack", async () => {
  const { root, first, repo } = await repository();
  run(root, "gc", "-q");
  const before = gitProcesses();
  expect(await updateRef(repo, REF, first, null)).toMatchObject({ ok: true });
  expect(gitProcesses() - before).toBe(1);
});

describe("a disk that cannot be written", () => {
  it("when it is full leaves the reference and no lock", async ({ skip }) => {
    const disk = smallDisk("size=1m");
    if (disk === undefined) return skip();
    run(disk, "init", "-q");
    const repo = await opened(disk);
    const store = new ObjectStore(repo);
    const [first = "", second = ""] = await Promise.all(
      ["1", "2"].map((text) => store.writeBlob(Buffer.from(text))),
    );
    await store.close();
    await updateRef(repo, REF, first, null);
    expect(() => writeFileSync(join(disk, "filler"), Buffer.alloc(2 << 20))).toThrow("ENOSPC");
    await expect(updateRef(repo, REF, second, first)).rejects.toMatchObject({
      code: "SEAM_GIT_WRITE",
    });
    expect(readdirSync(join(disk, ".git/refs/seam/turns"))).toEqual(["one"]);
    expect(await readRef(repo, REF)).toBe(first);
    rmSync(join(disk, "filler"));
    expect(await updateRef(repo, REF, second, first)).toMatchObject({ ok: true });
  });

  it("because it is read-only says so", async ({ skip }) => {
    const disk = smallDisk("size=1m");
    if (disk === undefined) return skip();
    run(disk, "init", "-q");
    const id = bytes(disk, ["hash-object", "-w", "--stdin"], "1").toString().trim();
    remountReadOnly(disk);
    await expect(updateRef(await opened(disk), REF, id, null)).rejects.toMatchObject({
      code: "SEAM_GIT_WRITE",
      message: expect.stringContaining("the file system is read-only"),
    });
  });
});

describe("several at once", () => {
  it("of one process: exactly one wins", async () => {
    const repo = await opened(init());
    const store = new ObjectStore(repo);
    const ids = await Promise.all(
      [..."abcdefgh"].map((text) => store.writeBlob(Buffer.from(text))),
    );
    const updates = await Promise.all(ids.map((id) => updateRef(repo, REF, id, null)));
    const winner = ids[updates.findIndex(({ ok }) => ok)];
    expect(updates.filter(({ ok }) => ok)).toHaveLength(1);
    expect(updates.filter(({ ok }) => !ok)).toEqual(
      Array.from({ length: 7 }, () => ({ ok: false, actual: winner })),
    );
    await store.close();
  });

  it("of several processes, while git packs references: no step is lost or done twice", async () => {
    const root = withFiles({ a: "1" });
    const repo = await opened(root);
    const [processes, times] = [3, 60];
    const children = Array.from(
      { length: processes },
      () => new Child("./count-up.ts", root, "refs/seam/count", String(times)),
    );
    await Promise.all(children.map((child) => child.said()));
    for (const child of children) child.process.stdin.write("go\n");
    let running = processes;
    const lost = children.map(async (child) => {
      const lines = await child.finished();
      running--;
      return Number(lines.at(-1));
    });
    while (running > 0) {
      execFileSync("git", ["pack-refs", "--all", "--prune"], { cwd: root, stdio: "ignore" });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const counted = run(root, "cat-file", "blob", "refs/seam/count");
    expect(counted).toBe(String(processes * times));
    // They really met.
    expect((await Promise.all(lost)).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(0);
    expect(await readRef(repo, "refs/seam/count")).toBe(run(root, "rev-parse", "refs/seam/count"));
    expect(complaints(root)).toBe("");
  }, 60_000);
});
