import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { init, run, storeOf, write } from "../../git/test-kit/index.ts";
import { stagedChanges } from "./commit-diff.ts";

it("what is staged is the same whether git noted the tree of the index or has to compare it", async () => {
  const root = init();
  write(root, { changed: "1\n", gone: "2\n", "d/moved": "3\n", mode: "4\n", "sub/kept": "5\n" });
  run(root, "add", ".");
  run(root, "commit", "-q", "-m", "one");
  const head = run(root, "rev-parse", "HEAD").trim();
  write(root, { changed: "one\n", "new/ü\n": "6\n" });
  rmSync(join(root, "gone"));
  // A folder where there was a file, and a link where there was a folder.
  mkdirSync(join(root, "gone"));
  write(root, { "gone/here": "7\n" });
  renameSync(join(root, "d/moved"), join(root, "moved"));
  rmSync(join(root, "d"), { recursive: true });
  symlinkSync("moved", join(root, "d"));
  chmodSync(join(root, "mode"), 0o755);
  run(root, "add", "--all");
  run(root, "update-index", "--add", "--cacheinfo", `160000,${head},module`);
  const store = await storeOf(root);
  const { repo } = store;
  const compared = await stagedChanges(store, repo, head, undefined);
  expect([...compared.keys()].length).toBe(9);
  run(root, "write-tree");
  const noted = await stagedChanges(store, repo, head, ".git/index");
  expect(new Map([...noted].sort())).toEqual(new Map([...compared].sort()));
});

it("a tree that git noted and that is gone is compared by git", async () => {
  const root = init();
  write(root, { a: "1\n" });
  run(root, "add", ".");
  run(root, "commit", "-q", "-m", "one");
  const head = run(root, "rev-parse", "HEAD").trim();
  write(root, { a: "2\n" });
  run(root, "add", ".");
  const tree = run(root, "write-tree").trim();
  rmSync(join(root, ".git/objects", tree.slice(0, 2), tree.slice(2)));
  const store = await storeOf(root);
  const staged = await stagedChanges(store, store.repo, head, undefined);
  expect([...staged.keys()]).toEqual(["a"]);
});
