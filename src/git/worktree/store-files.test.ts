import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ObjectBatch } from "../object-batch.ts";
import { type RawPath, rawPath } from "../paths/raw-path.ts";
import { gitProcesses } from "../run/spawn-git.ts";
import {
  bytes,
  complaints,
  init,
  opened,
  run,
  storeOf,
  tempDir,
  userSays,
  withFiles,
  write,
} from "../test-kit/index.ts";
import { ignoredPaths } from "./ignored-paths.ts";
import { scanWorkTree } from "./scan-work-tree.ts";
import { storeFiles } from "./store-files.ts";

const batchOf = async (root: string) => new ObjectBatch(await storeOf(root));

const raws = (...names: string[]) => names.map((name) => rawPath(Buffer.from(name, "latin1")));

/** Mode and id of every file as `git add` stores it, in an index of its own. */
function added(root: string): Map<RawPath, string> {
  const env = { GIT_INDEX_FILE: join(tempDir(), "index") };
  bytes(root, ["add", "--all"], undefined, env);
  const lines = bytes(root, ["ls-files", "-s", "-z"], undefined, env)
    .toString("latin1")
    .split("\0");
  return new Map(
    lines.filter(Boolean).map((line) => {
      const [mode, id] = line.split(" ");
      return [line.slice(line.indexOf("\t") + 1) as RawPath, `${mode} ${id}`];
    }),
  );
}

/** Stores all files of a work tree, and finds the same as `git add`. */
async function agrees(root: string): Promise<void> {
  const truth = added(root);
  const stored = await storeFiles(await batchOf(root), [...truth.keys()]);
  const mine = new Map(
    [...stored].map(([path, file]) => [path, "id" in file ? `${file.mode} ${file.id}` : file]),
  );
  expect(mine).toEqual(truth);
  expect(truth.size).toBeGreaterThan(0);
}

const MIXED = {
  unix: "a\nb\n",
  dos: "a\r\nb\r\n",
  mixed: "a\r\nb\n",
  binary: "\0\r\n",
  id: "$Id$\n",
};

describe("files of the work tree are stored as git add stores them", () => {
  it("without a process of their own where no attributes are around", async () => {
    const root = withFiles({ a: "1" });
    write(root, { ...MIXED, "dir/b": "2" });
    symlinkSync("dir", join(root, "link"));
    chmodSync(join(root, "unix"), 0o755);
    await agrees(root);
    const batch = await batchOf(root);
    const paths = raws("unix", "dos", "dir/b");
    await storeFiles(batch, paths);
    const before = gitProcesses();
    await storeFiles(batch, paths);
    expect(gitProcesses()).toBe(before);
  });

  it.each([
    ["core.autocrlf", "true"],
    ["core.autocrlf", "input"],
    ["core.fileMode", "false"],
  ])("with %s=%s", async (key, value) => {
    const root = init();
    run(root, "config", key, value);
    write(root, MIXED);
    chmodSync(join(root, "unix"), 0o755);
    await agrees(root);
  });

  it.each([
    ["* text=auto"],
    ["dos text\nmixed -text"],
    ["* eol=crlf"],
    ["id ident"],
    ["unix filter=shout"],
    ["unix working-tree-encoding=UTF-16"],
  ])("with the attributes %j", async (attributes) => {
    const root = init();
    userSays({ "filter.shout.clean": "tr a-z A-Z" });
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("a\nb\n", "utf16le")]);
    write(root, { ...MIXED, ".gitattributes": `${attributes}\n` });
    if (attributes.includes("UTF-16")) write(root, { unix: utf16 });
    symlinkSync("unix", join(root, "link"));
    await agrees(root);
  });

  it("with attributes of a folder, of the repository, or of the user", async () => {
    for (const place of ["dir/.gitattributes", ".git/info/attributes"]) {
      const root = init();
      write(root, { "dir/deep/dos": "a\r\n", [place]: "* text=auto\n" });
      await agrees(root);
    }
    const root = init();
    const own = join(tempDir(), "attributes");
    writeFileSync(own, "* text=auto\n");
    run(root, "config", "core.attributesFile", own);
    write(root, { dos: "a\r\n" });
    await agrees(root);
  });

  it("with odd names, with and without attributes", async () => {
    for (const attributes of [undefined, "* text=auto\n"]) {
      const root = init();
      for (const name of [
        "with space",
        'q"uote',
        "new\nline",
        "back\\slash",
        "caf\xe9",
        '"',
        "\t",
      ]) {
        writeFileSync(Buffer.from(`${root}/${name}`, "latin1"), "a\r\n");
      }
      if (attributes !== undefined) write(root, { ".gitattributes": attributes });
      await agrees(root);
    }
  });
});

describe("left out with a reason", () => {
  it("is what git would not take either", async () => {
    for (const attributes of [undefined, "* text=auto\n"]) {
      const root = withFiles({ a: "1" });
      if (attributes !== undefined) write(root, { ".gitattributes": attributes });
      const outside = tempDir();
      write(outside, { secret: "1" });
      symlinkSync(outside, join(root, "link"));
      mkdirSync(join(root, "nested"));
      run(join(root, "nested"), "init", "-q");
      write(root, { "nested/x": "1", "nested/deep/y": "1", big: "123456" });
      const paths = ["a", "gone", "link/secret", "nested/x", "nested/deep/y", "nested"];
      const names = raws(...paths, ".git/config", "../a", "big", "a/below");
      const stored = await storeFiles(await batchOf(root), names, { maxBytes: 5 });
      const reasons = [...stored].map(([path, file]) =>
        "skipped" in file ? `${path}: ${file.skipped}` : `${path}: stored`,
      );
      expect(reasons.sort()).toEqual([
        "../a: forbidden-name",
        ".git/config: forbidden-name",
        "a/below: missing",
        "a: stored",
        "big: too-big",
        "gone: missing",
        "link/secret: elsewhere",
        "nested/deep/y: elsewhere",
        "nested/x: elsewhere",
        "nested: not-a-file",
      ]);
    }
  });

  it("is a link in the place of the list of submodules", async () => {
    const root = init();
    symlinkSync("elsewhere", join(root, ".gitmodules"));
    const stored = await storeFiles(await batchOf(root), raws(".gitmodules"));
    expect([...stored.values()]).toEqual([{ skipped: "forbidden-name" }]);
  });

  it("is a file whose filter fails; the others are stored", async () => {
    const root = init();
    userSays({ "filter.broken.clean": "false", "filter.broken.required": "true" });
    write(root, { ".gitattributes": "bad* filter=broken\n", a: "1", bad1: "1", b: "1", bad2: "1" });
    const stored = await storeFiles(await batchOf(root), raws("a", "bad1", "b", "bad2"));
    expect([...stored].map(([path, file]) => [path, "id" in file])).toEqual([
      ["a", true],
      ["bad1", false],
      ["b", true],
      ["bad2", false],
    ]);
  });
});

describe("filters that only the repository names", () => {
  it("are not run: their files are left out, the others are stored", async () => {
    const root = init();
    const ran = join(tempDir(), "ran");
    run(root, "config", "filter.own.clean", `touch '${ran}'; cat`);
    run(root, "config", "filter.own.required", "true");
    write(root, { ".gitattributes": "*.x filter=own\n", "a.x": "1", b: "1" });
    const stored = await storeFiles(await batchOf(root), raws("a.x", "b"));
    expect(stored.get(rawPath("a.x"))).toEqual({ skipped: "unfiltered" });
    expect(stored.get(rawPath("b"))).toMatchObject({ mode: "100644" });
    expect((await scanWorkTree(await opened(root))).changes).toHaveLength(3);
    expect(existsSync(ran)).toBe(false);
  });

  it("are the user's where the user has one of that name", async () => {
    const root = init();
    userSays({ "filter.own.clean": "tr a-z A-Z" });
    run(root, "config", "filter.own.clean", "false");
    write(root, { ".gitattributes": "*.x filter=own\n", "a.x": "a" });
    const file = (await storeFiles(await batchOf(root), raws("a.x"))).get(rawPath("a.x"));
    expect(run(root, "cat-file", "blob", file && "id" in file ? file.id : "")).toBe("A");
  });

  it("make the repository unusable when their name could not be switched off", async () => {
    const root = init();
    writeFileSync(join(root, ".git/config"), '[filter "a=b"]\n\tclean = false\n', { flag: "a" });
    await expect(scanWorkTree(await opened(root))).rejects.toMatchObject({ code: "SEAM_GIT" });
  });
});

it("filtered files too are written again when they were collected", async () => {
  const root = withFiles({ a: "1", ".gitattributes": "* text=auto\n" });
  write(root, { dos: "a\r\n" });
  const batch = await batchOf(root);
  const file = (await storeFiles(batch, raws("dos"))).get(rawPath("dos"));
  run(root, "gc", "-q", "--prune=now");
  await batch.ensure();
  expect(run(root, "cat-file", "blob", file && "id" in file ? file.id : "")).toBe("a");
  rmSync(join(root, "dos"));
  run(root, "gc", "-q", "--prune=now");
  await expect(batch.ensure()).rejects.toMatchObject({ code: "SEAM_GIT_OBJECT" });
  expect(complaints(root)).toBe("");
});

describe("ignored paths", () => {
  it("are told from others, whatever their names; tracked ones are not ignored", async () => {
    const root = init();
    write(root, { ".gitignore": "*.log\nbuild/\n", "kept.log": "1" });
    run(root, "add", "-f", "--all");
    run(root, "commit", "-q", "-m", "all");
    const repo = await opened(root);
    const ignored = raws("x.log", "build/out", "new\nline.log", "caf\xe9.log", 'q"u.log');
    const others = raws("kept.log", "a", "build", "dir/a b");
    expect(await ignoredPaths(repo, [...ignored, ...others])).toEqual(new Set(ignored));
    expect(await ignoredPaths(repo, others)).toEqual(new Set());
    const before = gitProcesses();
    expect(await ignoredPaths(repo, [])).toEqual(new Set());
    expect(gitProcesses()).toBe(before);
  });
});
