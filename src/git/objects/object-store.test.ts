import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { rawPath } from "../paths/raw-path.ts";
import { updateRef } from "../refs/update-ref.ts";
import { gitProcesses } from "../run/spawn-git.ts";
import {
  bytes,
  complaints,
  init,
  run,
  storeOf,
  tempDir,
  withFiles,
  write,
} from "../test-kit/index.ts";
import { remountReadOnly, smallDisk } from "../test-kit/small-disk.ts";
import { loosePath } from "./loose-path.ts";

const when = { time: 1_700_000_000, offset: -210 };
const somebody = { name: "Test User", email: "test@example.com", ...when };

/** Files that are neither objects nor folders. */
function leftovers(root: string): string[] {
  const names = readdirSync(join(root, ".git/objects"), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.includes("tmp_"));
}

const gitHash = (root: string, content: Buffer) =>
  bytes(root, ["hash-object", "--stdin"], content).toString().trim();

describe.each(["sha1", "sha256"] as const)("with ids of %s", (format) => {
  it("blobs, trees and commits are what git would have made", async () => {
    const root = init({ format });
    const store = await storeOf(root);
    const content = Buffer.from("line\n\0\xff", "latin1");
    const blob = await store.writeBlob(content);
    expect(blob).toBe(gitHash(root, content));
    expect(bytes(root, ["cat-file", "blob", blob])).toEqual(content);
    const inner = await store.writeTree([{ name: rawPath("x"), mode: "100755", id: blob }]);
    const entries = [
      { name: rawPath("a.b"), mode: "100644", id: blob },
      { name: rawPath("a"), mode: "40000", id: inner },
      { name: rawPath("a-b"), mode: "120000", id: blob },
      { name: rawPath(Buffer.from("caf\xe9\n", "latin1")), mode: "100644", id: blob },
    ];
    const tree = await store.writeTree(entries);
    expect(run(root, "ls-tree", "--name-only", tree)).toBe('a-b\na.b\na\n"caf\\351\\n"');
    const listed = bytes(root, ["ls-tree", "-z", tree]);
    expect(bytes(root, ["mktree", "-z"], listed).toString().trim()).toBe(tree);
    const commit = await store.writeCommit({
      tree,
      parents: [],
      author: somebody,
      committer: { ...somebody, name: "Öther <Üser>\n." },
      message: "Subject\n\nBody ü",
    });
    const next = await store.writeCommit({
      tree: inner,
      parents: [commit],
      author: somebody,
      committer: somebody,
      message: "",
    });
    expect(run(root, "log", "-1", "--format=%an <%ae> %at %ai|%cn|%B", commit)).toBe(
      "Test User <test@example.com> 1700000000 2023-11-14 18:43:20 -0330|Öther Üser|Subject\n\nBody ü\n",
    );
    run(root, "update-ref", "refs/heads/main", next);
    expect(complaints(root)).toBe("");
  });
});

describe("what is there already", () => {
  it("is not written again, whether loose, packed or in an alternate", async () => {
    const origin = withFiles({ a: "loose", b: "packed" });
    run(origin, "gc", "-q");
    bytes(origin, ["hash-object", "-w", "--stdin"], "elsewhere");
    const root = join(tempDir(), "clone");
    run(origin, "clone", "-q", "--shared", origin, root);
    const store = await storeOf(root);
    const count = () => run(root, "count-objects");
    await store.writeBlob(Buffer.from("new"));
    const before = count();
    for (const text of ["packed", "elsewhere", "new"]) {
      const id = await store.writeBlob(Buffer.from(text));
      expect(await store.has(id)).toBe(true);
    }
    expect(count()).toBe(before);
  });

  it("is made young again, so that it is not collected", async () => {
    const root = init();
    const store = await storeOf(root);
    const id = await store.writeBlob(Buffer.from("old"));
    const path = loosePath(store.repo, id);
    utimesSync(path, 1000, 1000);
    await store.writeBlob(Buffer.from("old"));
    expect(statSync(path).mtimeMs).toBeGreaterThan(1_000_000_000);
  });

  it("does not count when a power cut left an empty file", async () => {
    const root = init();
    const store = await storeOf(root);
    const id = await store.writeBlob(Buffer.from("lost"));
    const path = loosePath(store.repo, id);
    chmodSync(path, 0o644);
    truncateSync(path, 0);
    await store.writeBlob(Buffer.from("lost"));
    expect(run(root, "cat-file", "blob", id)).toBe("lost");
  });

  it("costs no process for loose objects, and one for many others", async () => {
    const root = init();
    const store = await storeOf(root);
    const texts = Array.from({ length: 50 }, (_, n) => Buffer.from(`text ${n}`));
    const before = gitProcesses();
    await Promise.all(texts.map((text) => store.writeBlob(text)));
    expect(gitProcesses() - before).toBe(1);
    await Promise.all(texts.map((text) => store.writeBlob(text)));
    expect(gitProcesses() - before).toBe(1);
  });
});

describe("files", () => {
  async function inFolder() {
    const root = init();
    return { root, dir: tempDir(), store: await storeOf(root) };
  }

  it("are stored with what git takes them for", async () => {
    const { root, dir, store } = await inFolder();
    write(dir, { plain: "1\n", program: "#!/bin/sh\n" });
    chmodSync(join(dir, "program"), 0o755);
    symlinkSync("nowhere \xe9", join(dir, "link"));
    const stored = (name: string) => store.writeBlobFromFile(join(dir, name));
    expect(await stored("plain")).toMatchObject({ mode: "100644", size: 2 });
    expect(await stored("program")).toMatchObject({ mode: "100755" });
    const link = await stored("link");
    expect(link).toMatchObject({ mode: "120000" });
    expect(run(root, "cat-file", "blob", "id" in link ? link.id : "")).toBe("nowhere \xe9");
  });

  it("are stored in pieces when they are big, compressed, and only once", async () => {
    const { root, dir, store } = await inFolder();
    for (const content of [randomBytes(3 << 20), Buffer.alloc(5 << 20, "text\n")]) {
      writeFileSync(join(dir, "big"), content);
      const id = gitHash(root, content);
      const stored = { id, mode: "100644", size: content.length };
      expect(await store.writeBlobFromFile(join(dir, "big"))).toEqual(stored);
      expect(bytes(root, ["cat-file", "blob", id]).equals(content)).toBe(true);
      const before = run(root, "count-objects");
      expect(await store.writeBlobFromFile(join(dir, "big"))).toEqual(stored);
      expect(run(root, "count-objects")).toBe(before);
    }
    expect(leftovers(root)).toEqual([]);
    expect(complaints(root)).toBe("");
  });

  it("are left out when they are too big, gone, not readable or no files", async () => {
    const { dir, store, root } = await inFolder();
    write(dir, { big: Buffer.alloc(2 << 20), small: "12345" });
    mkdirSync(join(dir, "folder"));
    execFileSync("mkfifo", [join(dir, "pipe")]);
    const skipped = async (name: string, maxBytes?: number) =>
      store.writeBlobFromFile(join(dir, name), maxBytes === undefined ? {} : { maxBytes });
    expect(await skipped("big", 1 << 20)).toEqual({ skipped: "too-big", size: 2 << 20 });
    expect(await skipped("small", 4)).toEqual({ skipped: "too-big", size: 5 });
    expect(await skipped("gone")).toEqual({ skipped: "missing" });
    expect(await skipped("small/below")).toEqual({ skipped: "missing" });
    expect(await skipped("folder")).toEqual({ skipped: "not-a-file" });
    expect(await skipped("pipe")).toEqual({ skipped: "not-a-file" });
    expect(run(root, "count-objects")).toMatch(/^0 objects/);
  });

  it("with a limit of nothing are not opened for 2 GB", async () => {
    const { dir, store } = await inFolder();
    writeFileSync(join(dir, "huge"), "");
    truncateSync(join(dir, "huge"), 2 ** 31 + 5);
    const skipped = { skipped: "too-big", size: 2 ** 31 + 5 };
    expect(await store.writeBlobFromFile(join(dir, "huge"))).toEqual(skipped);
  });

  it("whose names are not UTF-8 are found", async () => {
    const { dir, store } = await inFolder();
    const path = Buffer.from(`${dir}/caf\xe9`, "latin1");
    writeFileSync(path, "1");
    expect(await store.writeBlobFromFile(path)).toMatchObject({ size: 1 });
  });

  it("that change while they are read never give a damaged object", async () => {
    const { root, dir, store } = await inFolder();
    const path = join(dir, "log");
    const results = [];
    for (const change of [
      (n: number) => appendFileSync(path, `more ${n}\n`),
      (n: number) => writeFileSync(path, Buffer.alloc((1 << 20) + 50_000 * (n % 40), `${n}`)),
      (n: number) => truncateSync(path, (3 << 20) - 90_000 * (n % 40)),
    ]) {
      writeFileSync(path, randomBytes(3 << 20));
      let n = 0;
      const timer = setInterval(() => change(n++), 1);
      for (let round = 0; round < 6; round++) results.push(await store.writeBlobFromFile(path));
      clearInterval(timer);
    }
    const kinds = results.map((one) => ("id" in one ? "stored" : one.skipped));
    expect(kinds.filter((kind) => kind !== "stored" && kind !== "changing")).toEqual([]);
    expect(kinds).toContain("stored");
    expect(complaints(root)).toBe("");
    expect(leftovers(root)).toEqual([]);
  }, 60_000);
});

describe("a disk that is full", () => {
  const cannotWrite = expect.objectContaining({ code: "SEAM_GIT_WRITE" });

  function full(): never {
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  }

  async function fillingUp() {
    const root = init();
    const disk = { free: 0 };
    const store = await storeOf(root, {
      write: (fd, data) => {
        if (disk.free <= 0) full();
        const written = writeSync(fd, data.subarray(0, disk.free));
        disk.free -= written;
        return written;
      },
    });
    return { root, disk, store };
  }

  it.each([0, 1, 7, 1000])("after %j bytes leaves nothing behind, and is no end", async (room) => {
    const { root, disk, store } = await fillingUp();
    const big = join(tempDir(), "big");
    writeFileSync(big, randomBytes(2 << 20));
    disk.free = room;
    await expect(store.writeBlob(randomBytes(5000))).rejects.toEqual(cannotWrite);
    disk.free = room;
    await expect(store.writeBlobFromFile(big)).rejects.toEqual(cannotWrite);
    expect(leftovers(root)).toEqual([]);
    expect(run(root, "count-objects")).toMatch(/^0 objects/);
    disk.free = Number.POSITIVE_INFINITY;
    expect(await store.writeBlobFromFile(big)).toMatchObject({ size: 2 << 20 });
    expect(complaints(root)).toBe("");
  });

  it("for real leaves nothing behind", async ({ skip }) => {
    const disk = smallDisk("size=512k");
    if (disk === undefined) return skip();
    run(disk, "init", "-q");
    const store = await storeOf(disk);
    await expect(store.writeBlob(randomBytes(1 << 20))).rejects.toEqual(cannotWrite);
    const big = join(tempDir(), "big");
    writeFileSync(big, randomBytes(2 << 20));
    await expect(store.writeBlobFromFile(big)).rejects.toEqual(cannotWrite);
    expect(leftovers(disk)).toEqual([]);
    await store.writeBlob(Buffer.from("small"));
    expect(complaints(disk)).toBe("");
  });

  it("or read-only says so", async ({ skip }) => {
    const disk = smallDisk("size=1m");
    if (disk === undefined) return skip();
    run(disk, "init", "-q");
    const store = await storeOf(disk);
    const id = await store.writeBlob(Buffer.from("known"));
    remountReadOnly(disk);
    await expect(store.writeBlob(Buffer.from("new"))).rejects.toMatchObject({
      code: "SEAM_GIT_WRITE",
      message: expect.stringContaining("the file system is read-only"),
    });
    expect(await store.writeBlob(Buffer.from("known"))).toBe(id);
  });
});

describe("rights", () => {
  it("are those that git gives: nobody may change an object", async () => {
    const root = init();
    const store = await storeOf(root);
    const mine = loosePath(store.repo, await store.writeBlob(Buffer.from("mine")));
    const id = bytes(root, ["hash-object", "-w", "--stdin"], "its").toString().trim();
    expect(statSync(mine).mode).toBe(statSync(loosePath(store.repo, id)).mode);
  });

  it("let in who could read the repository before, whatever the umask", async () => {
    const root = tempDir();
    const user = process.umask(0o022);
    run(root, "init", "-q");
    const store = await storeOf(root);
    process.umask(0o077);
    try {
      const id = await store.writeBlob(Buffer.from("mine"));
      await updateRef(store.repo, "refs/seam/one/two", id, null);
      const modes = ["objects", `objects/${id.slice(0, 2)}`, "refs/seam", "refs/seam/one"];
      for (const name of modes) {
        expect([name, statSync(join(root, ".git", name)).mode & 0o777]).toEqual([name, 0o755]);
      }
      expect(statSync(loosePath(store.repo, id)).mode & 0o777).toBe(0o444);
      expect(statSync(join(root, ".git/refs/seam/one/two")).mode & 0o777).toBe(0o644);
    } finally {
      process.umask(user);
    }
  });

  it("let others in where the repository is shared, whatever the umask", async () => {
    const root = tempDir();
    run(root, "init", "-q", "--shared=group");
    const store = await storeOf(root);
    const before = process.umask(0o077);
    try {
      const path = loosePath(store.repo, await store.writeBlob(Buffer.from("mine")));
      expect(statSync(path).mode & 0o777).toBe(0o444);
      expect(statSync(join(path, "..")).mode & 0o070).toBe(0o070);
    } finally {
      process.umask(before);
    }
  });
});

it("waits for the disk when asked to", async () => {
  const root = init();
  const store = await storeOf(root, { durable: true });
  const id = await store.writeBlob(Buffer.from("kept"));
  expect(run(root, "cat-file", "blob", id)).toBe("kept");
});

it("any bytes come back as they were", async () => {
  const root = init();
  const store = await storeOf(root);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (content) => {
      const id = await store.writeBlob(content);
      expect((await store.read(id))?.content.equals(content)).toBe(true);
    }),
    runs(100),
  );
  expect(complaints(root)).toBe("");
});

it("in a partial clone nothing is asked of the server", async () => {
  const origin = withFiles({ a: "1" });
  run(origin, "config", "uploadpack.allowFilter", "true");
  const clone = join(tempDir(), "clone");
  run(origin, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${origin}`, clone);
  const store = await storeOf(clone);
  const before = gitProcesses();
  const id = await store.writeBlob(Buffer.from("1"));
  expect(gitProcesses()).toBe(before);
  expect(run(clone, "cat-file", "blob", id)).toBe("1");
});
