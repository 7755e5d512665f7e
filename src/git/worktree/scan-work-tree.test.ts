import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RawPath, rawPath } from "../paths/raw-path.ts";
import { shownPath } from "../paths/shown-path.ts";
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
import { scanWorkTree } from "./scan-work-tree.ts";

async function scan(root: string, options?: { indexFile?: string }) {
  const { changes, skipped } = await scanWorkTree(await opened(root), options);
  const lines = changes.map(({ path, kind, mode }) => `${kind} ${mode ?? "-"} ${shownPath(path)}`);
  return { lines: lines.sort(), changes, skipped };
}

describe("the work tree against HEAD", () => {
  it("has changed, new and deleted files, without ignored ones", async () => {
    const root = withFiles({
      ".gitignore": "*.log\n",
      same: "1",
      changed: "1",
      gone: "1",
      exec: "1",
    });
    write(root, { changed: "2", new: "1", "dir/deep/new": "1", "x.log": "1", "dir/y.log": "1" });
    rmSync(join(root, "gone"));
    chmodSync(join(root, "exec"), 0o755);
    const { lines, changes } = await scan(root);
    expect(lines).toEqual([
      "changed 100644 changed",
      "changed 100755 exec",
      "deleted - gone",
      "untracked - dir/deep/new",
      "untracked - new",
    ]);
    const gone = changes.find(({ kind }) => kind === "deleted");
    expect(gone?.before).toEqual({ mode: "100644", id: run(root, "rev-parse", "HEAD:gone") });
  });

  it("is told whatever the index says in between", async () => {
    const root = withFiles({ staged: "1", uncached: "1", renamed: "1", back: "1" });
    write(root, { staged: "2", added: "1", undone: "1", intent: "1", back: "2" });
    run(root, "add", "staged", "added", "undone", "back");
    run(root, "add", "-N", "intent");
    run(root, "rm", "-q", "--cached", "uncached");
    run(root, "mv", "renamed", "moved");
    rmSync(join(root, "undone"));
    expect((await scan(root)).lines).toEqual([
      "changed - uncached",
      "changed 100644 added",
      "changed 100644 back",
      "changed 100644 intent",
      "changed 100644 moved",
      "changed 100644 staged",
      "deleted - renamed",
    ]);
  });

  it("has odd names as they are", async () => {
    const root = withFiles({ a: "1" });
    const names = ["with space", 'q"uote', "new\nline", "tab\t", "caf\xe9", "\xff\xfe", " lead"];
    for (const name of names) writeFileSync(Buffer.from(`${root}/${name}`, "latin1"), "1");
    const { changes } = await scan(root);
    const raw = names.map((name) => rawPath(Buffer.from(name, "latin1")));
    expect(changes.map(({ path }) => path).sort()).toEqual(raw.sort());
  });

  it("may be in conflict", async () => {
    const root = withFiles({ a: "1\n" });
    run(root, "checkout", "-q", "-b", "other");
    write(root, { a: "2\n" });
    commitAll(root);
    run(root, "checkout", "-q", "main");
    write(root, { a: "3\n" });
    commitAll(root);
    expect(() => run(root, "merge", "other")).toThrow();
    const { lines, changes } = await scan(root);
    expect(lines).toEqual(["unmerged 100644 a"]);
    expect(changes[0]?.before?.id).toBe(run(root, "rev-parse", "HEAD:a"));
  });

  it("is all there is before the first commit, and nothing in a bare repository", async () => {
    const root = init();
    write(root, { a: "1", "b/c": "1" });
    run(root, "add", "a");
    expect((await scan(root)).lines).toEqual(["changed 100644 a", "untracked - b/c"]);
    expect((await scan(init({ bare: true }))).lines).toEqual([]);
  });

  it("is that of a linked work tree, from inside a folder, on a detached HEAD", async () => {
    const root = withFiles({ a: "1", "d/b": "1" });
    const side = join(tempDir(), "side");
    run(root, "worktree", "add", "-q", "--detach", side);
    write(side, { a: "2" });
    expect((await scan(join(side, "d"))).lines).toEqual(["changed 100644 a"]);
    expect((await scan(root)).lines).toEqual([]);
  });

  it("does not miss what a sparse checkout leaves out", async () => {
    const root = withFiles({ "in/a": "1", "out/b": "1" });
    run(root, "sparse-checkout", "set", "in");
    expect(existsSync(join(root, "out/b"))).toBe(false);
    expect((await scan(root)).lines).toEqual([]);
    write(root, { "in/a": "2" });
    expect((await scan(root)).lines).toEqual(["changed 100644 in/a"]);
  });

  it("leaves out names that git cannot keep, and says which", async () => {
    const root = withFiles({ a: "1" });
    write(root, { "git~1": "1", fine: "1" });
    const { lines, skipped } = await scan(root);
    expect(lines).toEqual(["untracked - fine"]);
    expect(skipped).toEqual(["git~1"]);
  });

  it("does not depend on the user's settings", async () => {
    const root = withFiles({ a: "content\n".repeat(20) });
    for (const [key, value] of [
      ["status.showUntrackedFiles", "no"],
      ["status.renames", "copies"],
      ["status.branch", "true"],
      ["status.relativePaths", "true"],
      ["core.quotePath", "true"],
    ] as const) {
      run(root, "config", key, value);
    }
    run(root, "mv", "a", "b");
    write(root, { "c/d": "1" });
    expect((await scan(root)).lines).toEqual([
      "changed 100644 b",
      "deleted - a",
      "untracked - c/d",
    ]);
  });
});

describe("other repositories inside", () => {
  function withSubmodule(): string {
    const inner = withFiles({ a: "1" });
    const root = withFiles({ b: "1" });
    run(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
    commitAll(root);
    run(join(root, "sub"), "config", "user.name", "Test User");
    run(join(root, "sub"), "config", "user.email", "test@example.com");
    return root;
  }

  it("are one entry with their commit, and not looked into", async () => {
    const root = withSubmodule();
    write(root, { "sub/a": "changed", "sub/new": "1" });
    expect((await scan(root)).lines).toEqual([]);
    const id = commitAll(join(root, "sub"));
    const { changes } = await scan(root);
    expect(changes).toEqual([
      {
        path: "sub",
        kind: "changed",
        before: { mode: "160000", id: run(root, "rev-parse", "HEAD:sub") },
        mode: "160000",
        id,
      },
    ]);
  });

  it("may be gone, or not checked out", async () => {
    const root = withSubmodule();
    rmSync(join(root, "sub"), { recursive: true });
    expect((await scan(root)).lines).toEqual(["deleted - sub"]);
    const clone = join(tempDir(), "clone");
    run(root, "clone", "-q", root, clone);
    expect((await scan(clone)).lines).toEqual([]);
  });

  it("may be unknown to git", async () => {
    const root = withFiles({ a: "1" });
    mkdirSync(join(root, "nested"));
    run(join(root, "nested"), "init", "-q");
    expect(await scan(root)).toMatchObject({ lines: [], skipped: ["nested/"] });
    const identity = ["-c", "user.name=Test User", "-c", "user.email=test@example.com"];
    run(join(root, "nested"), ...identity, "commit", "-q", "--allow-empty", "-m", "x");
    expect((await scan(root)).lines).toEqual(["untracked 160000 nested"]);
  });
});

describe("nothing of the user's is touched", () => {
  it("neither the index nor its lock", async () => {
    const root = withFiles({ a: "1", b: "1" });
    const index = join(root, ".git/index");
    // git would want to write down that these are unchanged after all.
    utimesSync(join(root, "a"), 1, 1);
    write(root, { b: "2" });
    const before = readFileSync(index);
    const { mtimeNs, ino } = statSync(index, { bigint: true });
    for (const isLocked of [false, true]) {
      if (isLocked) writeFileSync(`${index}.lock`, "");
      expect((await scan(root)).lines).toEqual(["changed 100644 b"]);
      expect(readFileSync(index).equals(before)).toBe(true);
      expect(statSync(index, { bigint: true })).toMatchObject({ mtimeNs, ino });
    }
    expect(existsSync(`${index}.lock`)).toBe(true);
  });

  it("nor another index that is given", async () => {
    const root = withFiles({ a: "1" });
    const indexFile = join(tempDir(), "index");
    copyFileSync(join(root, ".git/index"), indexFile);
    write(root, { a: "2", b: "1" });
    run(root, "add", "--all");
    const before = readFileSync(indexFile);
    expect((await scan(root, { indexFile })).lines).toEqual(["changed 100644 a", "untracked - b"]);
    expect(readFileSync(indexFile).equals(before)).toBe(true);
  });
});

it("what is not a file is not listed", async () => {
  const root = withFiles({ a: "1" });
  symlinkSync("a", join(root, "link"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  mkdirSync(join(root, "empty"));
  expect((await scan(root)).lines).toEqual(["untracked - link"]);
});

it("the list is complete: HEAD plus the changes is the work tree", async () => {
  const root = withFiles({ "a/b": "1", c: "2", "d/e": "3" });
  write(root, { "a/b": "4", "d/f": "5" });
  rmSync(join(root, "c"));
  mkdirSync(join(root, "c"));
  write(root, { "c/inside": "6" });
  const { changes } = await scan(root);
  const paths = new Set<RawPath>(changes.map(({ path }) => path));
  run(root, "add", "--all");
  const truth = bytes(root, [
    "diff-index",
    "-z",
    "--name-only",
    "--no-renames",
    "--cached",
    "HEAD",
  ]);
  expect([...paths].sort()).toEqual(truth.toString("latin1").split("\0").filter(Boolean).sort());
});
