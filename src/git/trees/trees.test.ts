import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import type { TreeValue } from "../objects/tree-format.ts";
import { pathBytes, type RawPath, rawPath } from "../paths/raw-path.ts";
import { gitProcesses } from "../run/spawn-git.ts";
import { anyPath } from "../test-kit/arbitraries.ts";
import { bytes, complaints, init, run, storeOf, withFiles } from "../test-kit/index.ts";
import { diffTrees } from "./diff-trees.ts";
import { editTree, type TreeChange } from "./edit-tree.ts";
import { readTree, treeValueAt, walkTree } from "./read-tree.ts";

type Model = Map<RawPath, TreeValue>;

async function setUp() {
  const root = init();
  const store = await storeOf(root);
  const ids = await Promise.all([..."123"].map((text) => store.writeBlob(Buffer.from(text))));
  return { root, store, ids };
}

/** The tree git makes of these files through an index of its own. */
function treeByGit(root: string, model: Model): string {
  const env = { GIT_INDEX_FILE: `${root}/.git/model-index` };
  const lines = [...model].map(([path, { mode, id }]) =>
    Buffer.concat([Buffer.from(`${mode} ${id}\t`), pathBytes(path), Buffer.from([0])]),
  );
  bytes(root, ["read-tree", "--empty"], undefined, env);
  bytes(root, ["update-index", "-z", "--index-info"], Buffer.concat(lines), env);
  return bytes(root, ["write-tree"], undefined, env).toString().trim();
}

/** What the changes mean, on a plain list of files. */
function applied(model: Model, changes: readonly TreeChange[]): Model {
  const last = new Map(changes.map(({ path, entry }) => [path, entry]));
  const result = new Map(model);
  for (const path of last.keys()) {
    for (const known of result.keys()) {
      if (known === path || known.startsWith(`${path}/`)) result.delete(known);
    }
  }
  for (const [path, entry] of last) {
    if (!entry) continue;
    for (const known of result.keys()) if (path.startsWith(`${known}/`)) result.delete(known);
    result.set(path, entry);
  }
  return result;
}

/** Files that can be there together. */
function withoutClashes(changes: readonly TreeChange[]): TreeChange[] {
  const kept: TreeChange[] = [];
  for (const change of changes) {
    const clashes = kept.some(
      ({ path, entry }) =>
        entry &&
        change.entry &&
        (path.startsWith(`${change.path}/`) || change.path.startsWith(`${path}/`)),
    );
    const isTwice = kept.some(({ path }) => path === change.path);
    if (!clashes && !isTwice) kept.push(change);
  }
  return kept;
}

const mode = fc.constantFrom("100644", "100755", "120000", "160000");

const someChanges = (ids: readonly string[], nulls: boolean) => {
  const entry = fc.record({ mode, id: fc.constantFrom(...ids) });
  const value = nulls ? fc.option(entry, { freq: 2 }) : entry;
  return fc
    .array(fc.record({ path: anyPath, entry: value }), { maxLength: 12 })
    .map(withoutClashes);
};

describe("a changed tree", () => {
  it("is what git makes of the changed list of files", async () => {
    const { root, store, ids } = await setUp();
    await fc.assert(
      fc.asyncProperty(someChanges(ids, false), someChanges(ids, true), async (first, second) => {
        const before = applied(new Map(), first);
        const base = await editTree(store, undefined, first);
        expect(base).toBe(treeByGit(root, before));
        const after = await editTree(store, base, second);
        expect(after).toBe(treeByGit(root, applied(before, second)));
        const backwards = await editTree(store, base, second.toReversed());
        expect(backwards).toBe(after);
      }),
      runs(60),
    );
    expect(complaints(root)).toBe("");
  }, 60_000);

  it.each(["sha1", "sha256"] as const)("is the same in a repository with %s", async (format) => {
    const root = withFiles({ "a/b": "1", "a/c": "2", d: "3" }, { format });
    const store = await storeOf(root);
    const id = await store.writeBlob(Buffer.from("new"));
    const head = run(root, "rev-parse", "HEAD^{tree}");
    const tree = await editTree(store, head, [
      { path: rawPath("a/b"), entry: null },
      { path: rawPath("e/f/g"), entry: { mode: "100644", id } },
    ]);
    expect(run(root, "ls-tree", "-r", "--name-only", tree)).toBe("a/c\nd\ne/f/g");
    expect(complaints(root)).toBe("");
  });

  it("loses folders that become empty, up to the whole tree", async () => {
    const root = withFiles({ "a/b/c": "1" });
    const store = await storeOf(root);
    const empty = await editTree(store, run(root, "rev-parse", "HEAD^{tree}"), [
      { path: rawPath("a/b/c"), entry: null },
    ]);
    expect(run(root, "ls-tree", empty)).toBe("");
    expect(await editTree(store, undefined, [])).toBe(empty);
    expect(complaints(root)).toBe("");
  });

  it("can take a whole folder that is stored already, and changes in it", async () => {
    const root = withFiles({ "a/b": "1", "a/c": "2" });
    const store = await storeOf(root);
    const id = run(root, "rev-parse", "HEAD:a");
    const tree = await editTree(store, undefined, [
      { path: rawPath("x/y/b"), entry: null },
      { path: rawPath("x/y"), entry: { mode: "40000", id } },
    ]);
    expect(run(root, "ls-tree", "-r", "--name-only", tree)).toBe("x/y/c");
  });

  it("reads and writes only the folders on the way", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`d${n % 6}/e${n % 10}/f${n}`, `${n}`]),
    );
    const root = withFiles(files);
    const store = await storeOf(root);
    const reads: string[] = [];
    let writes = 0;
    const counting = {
      repo: store.repo,
      read: (id: string) => {
        reads.push(id);
        return store.read(id);
      },
      writeTree: (...args: Parameters<ObjectStore["writeTree"]>) => {
        writes++;
        return store.writeTree(...args);
      },
    };
    const id = await store.writeBlob(Buffer.from("new"));
    const before = gitProcesses();
    await editTree(counting, run(root, "rev-parse", "HEAD^{tree}"), [
      { path: rawPath("d1/e1/new"), entry: { mode: "100644", id } },
      { path: rawPath("d1/e7/new"), entry: { mode: "100644", id } },
    ]);
    expect(reads).toHaveLength(4);
    expect(writes).toBe(4);
    expect(gitProcesses()).toBe(before);
  });

  it.each([
    ["../x"],
    ["a//b"],
    ["/a"],
    ["a/"],
    [""],
    ["a/./b"],
    [".git/config"],
    ["a/.GIT/x"],
    ["git~1"],
    [".git "],
    [".g\u200cit"],
    ["a\\.git"],
    [".git::$INDEX_ALLOCATION"],
  ])("never contains %j", async (path) => {
    const { store, ids } = await setUp();
    const change = { path: rawPath(path), entry: { mode: "100644", id: ids[0] ?? "" } };
    await expect(editTree(store, undefined, [change])).rejects.toMatchObject({
      code: "SEAM_GIT_NAME",
    });
  });

  it("never contains a file that is a folder too, nor kinds that git does not know", async () => {
    const { store, ids } = await setUp();
    const entry = { mode: "100644", id: ids[0] ?? "" };
    const both = [
      { path: rawPath("a"), entry },
      { path: rawPath("a/b"), entry },
    ];
    for (const changes of [both, both.toReversed()]) {
      await expect(editTree(store, undefined, changes)).rejects.toMatchObject({
        code: "SEAM_GIT_NAME",
      });
    }
    const odd = { path: rawPath("a"), entry: { ...entry, mode: "100600" } };
    await expect(editTree(store, undefined, [odd])).rejects.toMatchObject({
      code: "SEAM_GIT_NAME",
    });
    const link = { path: rawPath("x/.gitModules"), entry: { ...entry, mode: "120000" } };
    await expect(editTree(store, undefined, [link])).rejects.toMatchObject({
      code: "SEAM_GIT_NAME",
    });
  });

  it("needs its base", async () => {
    const { store, ids } = await setUp();
    const change = { path: rawPath("a"), entry: null };
    for (const base of ["1".repeat(40), ids[0] ?? ""]) {
      await expect(editTree(store, base, [change])).rejects.toMatchObject({
        code: "SEAM_GIT_OBJECT",
        details: { id: base },
      });
    }
  });
});

describe("the difference of two trees", () => {
  /** `:mode mode id id letter NUL path NUL`, as git lists it. */
  function byGit(root: string, before: string, after: string) {
    const args = ["diff-tree", "-r", "-z", "--no-renames", before, after];
    const fields = bytes(root, args).toString("latin1").split("\0");
    const found = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [oldMode = "", newMode = "", oldId = "", newId = ""] = (fields[at] ?? "")
        .slice(1)
        .split(" ");
      const value = (mode: string, id: string) => (/^0+$/.test(mode) ? undefined : { mode, id });
      const path = fields[at + 1] as RawPath;
      found.push({ path, before: value(oldMode, oldId), after: value(newMode, newId) });
    }
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  it("is the one git finds", async () => {
    const { root, store, ids } = await setUp();
    await fc.assert(
      fc.asyncProperty(someChanges(ids, false), someChanges(ids, true), async (first, second) => {
        const before = await editTree(store, undefined, first);
        const after = await editTree(store, before, second);
        expect(await diffTrees(store, before, after)).toEqual(byGit(root, before, after));
        expect(await diffTrees(store, after, before)).toEqual(byGit(root, after, before));
      }),
      runs(60),
    );
  }, 60_000);

  it("is everything where one side is nothing, and nothing where both are the same", async () => {
    const root = withFiles({ "a/b": "1", c: "2" });
    const store = await storeOf(root);
    const tree = run(root, "rev-parse", "HEAD^{tree}");
    const paths = async (a?: string, b?: string) =>
      (await diffTrees(store, a, b)).map(({ path }) => path);
    expect(await paths(undefined, tree)).toEqual(["a/b", "c"]);
    expect(await paths(tree, undefined)).toEqual(["a/b", "c"]);
    expect(await paths(tree, tree)).toEqual([]);
    expect(await paths()).toEqual([]);
  });

  it("reads only folders that differ", async () => {
    const root = withFiles({ "same/a": "1", "same/deep/b": "1", "other/c": "1" });
    const store = await storeOf(root);
    const before = run(root, "rev-parse", "HEAD^{tree}");
    const id = await store.writeBlob(Buffer.from("new"));
    const after = await editTree(store, before, [
      { path: rawPath("other/c"), entry: { mode: "100644", id } },
    ]);
    let reads = 0;
    const counting = {
      repo: store.repo,
      read: (name: string) => {
        reads++;
        return store.read(name);
      },
    };
    expect(await diffTrees(counting, before, after)).toHaveLength(1);
    expect(reads).toBe(4);
  });
});

describe("reading trees", () => {
  it("gives a folder, and what is at a path", async () => {
    const root = withFiles({ "a/b/c": "1", "a/d": "2", e: "3" });
    const store = await storeOf(root);
    const tree = run(root, "rev-parse", "HEAD^{tree}");
    const names = async (path?: string) =>
      (await readTree(store, tree, path === undefined ? undefined : rawPath(path)))?.map(
        ({ name }) => name,
      );
    expect(await names()).toEqual(["a", "e"]);
    expect(await names("a")).toEqual(["b", "d"]);
    expect(await names("e")).toBeUndefined();
    expect(await names("a/x")).toBeUndefined();
    const at = (path: string) => treeValueAt(store, tree, rawPath(path));
    expect(await at("a/b/c")).toEqual({ mode: "100644", id: run(root, "rev-parse", "HEAD:a/b/c") });
    expect(await at("a/b")).toMatchObject({ mode: "40000" });
    expect(await at("a/b/c/d")).toBeUndefined();
    expect(await at("x")).toBeUndefined();
  });

  it("walks all files in the order of git, or those of one folder", async () => {
    const { root, store, ids } = await setUp();
    const collected = async (tree: string, prefix?: RawPath) => {
      const found: string[] = [];
      const options = prefix === undefined ? {} : { prefix };
      for await (const { mode, id, path } of walkTree(store, tree, options)) {
        found.push(`${mode} ${id}\t${path}`);
      }
      return found;
    };
    const listed = (tree: string) =>
      bytes(root, ["ls-tree", "-r", "-z", tree])
        .toString("latin1")
        .split("\0")
        .filter((line) => line !== "")
        .map((line) => line.replace(/^(\d+) \w+ /, "$1 "));
    await fc.assert(
      fc.asyncProperty(someChanges(ids, false), async (changes) => {
        const tree = await editTree(store, undefined, changes);
        expect(await collected(tree)).toEqual(listed(tree));
        const below = (await collected(tree)).filter((line) => line.includes("\ta/"));
        expect(await collected(tree, rawPath("a"))).toEqual(below);
      }),
      runs(30),
    );
  }, 60_000);

  it("can be stopped in the middle", async () => {
    const root = withFiles({ "a/b": "1", "c/d": "2", "e/f": "3" });
    const store = await storeOf(root);
    for await (const { path } of walkTree(store, run(root, "rev-parse", "HEAD^{tree}"))) {
      expect(path).toBe("a/b");
      break;
    }
  });
});
