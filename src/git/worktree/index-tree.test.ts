import { chmodSync, existsSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { init, run, tempDir, write } from "../test-kit/index.ts";
import { indexTree } from "./index-tree.ts";

const LONG = `${"long/".repeat(200)}${"x".repeat(200)}`;
const NAMES = ["a", "b/c", "b/d.txt", "e/f/g/h", "ü", "name of 8", LONG] as const;

describe.each(["sha1", "sha256"] as const)(
  "the tree that git noted in an index of %s",
  (format) => {
    it.each([2, 3, 4])("is what git would write, in version %i", (version) => {
      const root = init({ format });
      const index = join(root, ".git/index");
      run(root, "config", "index.version", String(version));
      fc.assert(
        fc.property(fc.subarray([...NAMES], { minLength: 1 }), fc.nat(9), (names, text) => {
          rmSync(index, { force: true });
          for (const name of names) write(root, { [name]: `${text}\n` });
          run(root, "add", "--force", "--", ...names);
          // Nobody asked git for a tree yet.
          expect(indexTree(index, format)).toBeUndefined();
          const tree = run(root, "write-tree").trim();
          expect(indexTree(index, format)).toBe(tree);
        }),
        { numRuns: 8 },
      );
    });
  },
);

function committed(): { root: string; index: string } {
  const root = init();
  write(root, { a: "1\n", "b/c": "2\n" });
  run(root, "add", ".");
  run(root, "commit", "-q", "-m", "one");
  return { root, index: join(root, ".git/index") };
}

describe("an index does not say its tree", () => {
  it("once something in it has changed", () => {
    const { root, index } = committed();
    expect(indexTree(index, "sha1")).toBe(run(root, "rev-parse", "HEAD^{tree}").trim());
    write(root, { "b/c": "3\n" });
    run(root, "add", ".");
    expect(indexTree(index, "sha1")).toBeUndefined();
  });

  it("where a file is only announced", () => {
    const { root, index } = committed();
    write(root, { later: "" });
    run(root, "add", "--intent-to-add", "later");
    expect(indexTree(index, "sha1")).toBeUndefined();
  });

  it("where it is split", () => {
    const { root, index } = committed();
    run(root, "update-index", "--split-index");
    run(root, "write-tree");
    expect(indexTree(index, "sha1")).toBeUndefined();
  });

  it("where it is missing, a folder, or breaks off anywhere", () => {
    const { root, index } = committed();
    expect(indexTree(join(root, "nowhere"), "sha1")).toBeUndefined();
    expect(indexTree(root, "sha1")).toBeUndefined();
    const tree = indexTree(index, "sha1");
    // The checksum at the end is git's own affair.
    for (let size = 150; size >= 0; size -= 7) {
      truncateSync(index, size);
      expect([undefined, tree]).toContain(indexTree(index, "sha1"));
    }
  });
});

it("bytes that are no index do no harm", () => {
  const file = join(tempDir(), "index");
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const head = Buffer.from("DIRC\0\0\0\x02\0\0\0\x01", "latin1");
      writeFileSync(file, Buffer.concat([head, bytes]));
      const tree = indexTree(file, "sha1");
      expect(tree === undefined || tree.length === 40).toBe(true);
    }),
  );
});

/** Ways to make a commit, run by a shell where files are changed, and whether git always notes its tree. */
const WAYS: readonly (readonly [how: string, isNoted: boolean])[] = [
  ["git add . && git commit -m x", true],
  ["git commit -am x", true],
  ["git commit -m x -o a", false],
  ["git add b/c && git commit -m x -i a", true],
  ["echo y | git commit -p -m x", true],
  ["git add . && git commit --amend --no-edit", true],
  ["git commit --amend -m x", true],
  ["git commit --allow-empty -m x", true],
  ["GIT_INDEX_FILE=other git read-tree HEAD && GIT_INDEX_FILE=other git commit -am x", true],
  ["git update-index --split-index && git commit -am x", false],
  ["touch later && git add -N later && git add a && git commit -m x", false],
  [
    "git checkout -f . && git sparse-checkout set --cone --sparse-index e && echo 2 >e/f && git commit -am x",
    false,
  ],
  [
    "git checkout -fqb side HEAD~1 && echo 2 >d && git add d && git commit -qm side && git checkout -q - && git merge --no-commit side && git commit -m x",
    true,
  ],
];

it.each(WAYS)(
  "%s: git asks for the message with an index that says the tree of the commit, or none",
  (how, isNoted) => {
    const { root } = committed();
    write(root, { "e/f": "1\n" });
    run(root, "add", ".");
    run(root, "commit", "-q", "-m", "two");
    const asked = join(root, ".git/asked");
    const hook = join(root, ".git/hooks/prepare-commit-msg");
    write(root, {
      ".git/hooks/prepare-commit-msg": `#!/bin/sh\ncp "\${GIT_INDEX_FILE:-.git/index}" .git/asked\n`,
    });
    chmodSync(hook, 0o755);
    write(root, { a: "3\n", "b/c": "4\n" });
    run(root, "-c", `alias.way=!${how}`, "way");
    expect(existsSync(asked)).toBe(true);
    const tree = run(root, "rev-parse", "HEAD^{tree}").trim();
    expect(isNoted ? [tree] : [tree, undefined]).toContain(indexTree(asked, "sha1"));
  },
);
