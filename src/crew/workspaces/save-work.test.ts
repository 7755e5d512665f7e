import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import {
  commitAll,
  complaints,
  run,
  setEnv,
  tempDir,
  userSays,
  write,
} from "../../git/test-kit/index.ts";
import { bringIn } from "./bring-in.ts";
import { saveWork } from "./save-work.ts";
import { ownIndexOf } from "./slot-git.ts";
import { branchOf, crewRepository } from "./test-kit.ts";
import type { Workspace } from "./workspace.ts";

async function taken() {
  const shop = crewRepository();
  const workspace = await shop.take("one");
  /** What the task's branch has in a file. */
  const saved = (name: string) => run(shop.root, "show", `${branchOf("one")}:${name}`);
  const isClean = () => {
    expect(run(workspace.path, "symbolic-ref", "HEAD")).toBe(`refs/heads/${branchOf("one")}`);
    expect(run(workspace.path, "status", "--porcelain")).toBe("");
    expect(complaints(shop.root)).toBe("");
  };
  return { ...shop, workspace, path: workspace.path, saved, isClean };
}

const identity = ["-c", "user.name=Agent", "-c", "user.email=agent@example.com"];
const commit = (path: string, message: string) => {
  run(path, "add", "--all");
  run(path, ...identity, "commit", "-qm", message);
  return run(path, "rev-parse", "HEAD");
};

describe("the work of a task is saved", () => {
  it("with untracked, changed and deleted files, once", async () => {
    const { path, workspace, saved, isClean, root } = await taken();
    write(path, { a: "2\n", "new/file": "n", built: "ignored" });
    rmSync(join(path, "folder"), { recursive: true });
    const first = await saveWork(workspace, "What was done");
    expect(first).toMatchObject({ changed: ["a", "folder/b", "new/file"], notes: [], leftOut: [] });
    expect(saved("new/file")).toBe("n");
    expect(run(root, "log", "-1", "--format=%s %an", first.commit)).toBe("What was done Test User");
    isClean();
    expect((await saveWork(workspace, "again")).commit).toBe(first.commit);
  });

  it("not at all where nothing was done", async () => {
    const { workspace, base } = await taken();
    expect(await saveWork(workspace, "nothing")).toMatchObject({ commit: base, changed: [] });
  });

  it("with the commits that the agent made", async () => {
    const { path, workspace, isClean, root } = await taken();
    write(path, { a: "2\n" });
    const own = commit(path, "by the agent");
    write(path, { a: "3\n" });
    const { commit: last, changed } = await saveWork(workspace, "the rest");
    expect(run(root, "rev-parse", `${last}^@`)).toBe(own);
    expect(changed).toEqual(["a"]);
    isClean();
  });

  it("when the agent switched to another branch, committed there, and went away from it", async () => {
    const { path, workspace, saved, isClean, root } = await taken();
    write(path, { a: "first\n" });
    const { commit: first } = await saveWork(workspace, "first");
    run(path, "checkout", "-q", "-b", "elsewhere", "main");
    write(path, { c: "c\n" });
    const there = commit(path, "elsewhere");
    write(path, { d: "d\n" });
    const { commit: last, notes } = await saveWork(workspace, "all");
    expect(notes).toEqual(["The agent had switched to the branch elsewhere."]);
    expect(run(root, "rev-parse", `${last}^@`).split("\n")).toEqual([first, there]);
    expect([saved("c"), saved("d")]).toEqual(["c", "d"]);
    expect(run(root, "rev-parse", "elsewhere")).toBe(there);
    isClean();
  });

  it("when HEAD is detached, on a branch without commits, or rubbish", async () => {
    const { path, workspace, saved, isClean } = await taken();
    run(path, "checkout", "-q", "--detach");
    write(path, { c: "1\n" });
    await saveWork(workspace, "detached");
    run(path, "symbolic-ref", "HEAD", "refs/heads/unborn");
    write(path, { c: "2\n" });
    await saveWork(workspace, "unborn");
    isClean();
    writeFileSync(join(workspace.repo.gitDir, "HEAD"), "rubbish\n");
    write(path, { c: "3\n" });
    await saveWork(workspace, "rubbish");
    expect(saved("c")).toBe("3");
    isClean();
  });

  it("when a lock was left, the index is broken, or says that files never change", async () => {
    const { path, workspace, saved, isClean } = await taken();
    run(path, "update-index", "--assume-unchanged", "a");
    write(path, { a: "2\n" });
    writeFileSync(join(workspace.repo.gitDir, "index.lock"), "");
    expect((await saveWork(workspace, "locked")).changed).toEqual(["a"]);
    isClean();
    writeFileSync(join(workspace.repo.gitDir, "index"), "rubbish");
    writeFileSync(ownIndexOf(workspace), "rubbish");
    write(path, { a: "3\n" });
    await saveWork(workspace, "broken");
    expect(saved("a")).toBe("3");
    isClean();
  });

  it("without the folders it did not ask for being lost, also when the index is", async () => {
    const { take, root } = crewRepository({ top: "t\n", "x/y/in": "1\n", "x/z/out": "1\n" });
    const workspace = await take("one", { sparse: ["x/y"] });
    write(workspace.path, { "x/y/in": "2\n" });
    rmSync(join(workspace.path, "top"));
    rmSync(ownIndexOf(workspace));
    const saved = await saveWork(workspace, "index lost");
    expect(saved.changed).toEqual(["top", "x/y/in"]);
    expect(run(root, "ls-tree", "-r", "--name-only", saved.commit)).toBe("x/y/in\nx/z/out");
  });

  it("when a rebase or a merge was left in the middle", async () => {
    const { path, workspace, isClean, root } = await taken();
    write(root, { a: "theirs\n" });
    const theirs = commitAll(root);
    write(path, { a: "ours\n" });
    commit(path, "ours");
    expect(() => run(path, ...identity, "merge", "-q", "main")).toThrow();
    const { commit: last } = await saveWork(workspace, "in the middle");
    expect(run(root, "rev-parse", `${last}^2`)).toBe(theirs);
    isClean();
    run(path, "reset", "-q", "--hard", `${last}^`);
    expect(() => run(path, ...identity, "rebase", "-q", "main")).toThrow();
    await saveWork(workspace, "in the middle of a rebase");
    isClean();
  });

  it("with links as links, and what is behind them left alone", async () => {
    const { path, workspace, saved, isClean } = await taken();
    const elsewhere = tempDir();
    write(elsewhere, { secret: "s" });
    rmSync(join(path, "folder"), { recursive: true });
    symlinkSync(elsewhere, join(path, "folder"));
    symlinkSync("nowhere", join(path, "dangling"));
    const { changed } = await saveWork(workspace, "links");
    expect(changed).toEqual(["dangling", "folder", "folder/b"]);
    expect(saved("folder")).toBe(elsewhere);
    isClean();
    expect(existsSync(join(elsewhere, "secret"))).toBe(true);
  });

  it("without files that are named like secrets, which stay where they are", async () => {
    const { path, workspace, pool } = await taken();
    write(path, { id_rsa: "private", "conf/server.pem": "p", "a.key.example": "e", c: "c" });
    const saved = await saveWork(workspace, "secrets");
    expect(saved.changed).toEqual(["a.key.example", "c"]);
    expect(saved.leftOut).toEqual(["conf/server.pem", "id_rsa"]);
    expect(saved.notes[0]).toContain("conf/server.pem was not saved");
    await pool.release(workspace);
    expect(readFileSync(join(`${path}.left`, "r/one/id_rsa"), "utf8")).toBe("private");
  });

  it("without files that git cannot store, which are kept beside the workspace", async () => {
    const { path, workspace, pool, saved } = await taken();
    write(path, { ".gitattributes": "*.big filter=broken\n", c: "c", "x.big": "big" });
    userSays({ "filter.broken.clean": "false", "filter.broken.required": "true" });
    const { leftOut, notes } = await saveWork(workspace, "work");
    expect(leftOut).toEqual(["x.big"]);
    expect(notes).toEqual([expect.stringContaining("Not everything could be saved")]);
    expect(saved("c")).toBe("c");
    await pool.release(workspace);
    expect(readFileSync(join(`${path}.left`, "r/one/x.big"), "utf8")).toBe("big");
  });

  it("when there are very many files", async () => {
    const { path, workspace, pool, take } = await taken();
    for (let folder = 0; folder < 40; folder++) {
      mkdirSync(join(path, "many", String(folder)), { recursive: true });
      for (let n = 0; n < 100; n++) writeFileSync(join(path, "many", `${folder}/${n}`), "same");
    }
    expect((await saveWork(workspace, "many")).changed).toHaveLength(4000);
    await pool.release(workspace);
    expect(existsSync(join((await take("two")).path, "many"))).toBe(false);
  });

  it("where the task's branch is checked out by somebody: not under their files", async () => {
    const { path, workspace, root, pool, base } = await taken();
    const theirs = join(tempDir(), "look");
    run(root, "worktree", "add", "-q", "--force", theirs, branchOf("one"));
    write(path, { a: "2\n" });
    const { commit: last, notes } = await saveWork(workspace, "work");
    expect(run(theirs, "status", "--porcelain")).toBe("");
    expect(run(root, "rev-parse", branchOf("one"))).toBe(base);
    expect(run(root, "rev-parse", `refs/seam/crew/work/${branchOf("one")}`)).toBe(last);
    expect(notes).toEqual([expect.stringContaining(`checked out in ${theirs}`)]);
    await pool.release(workspace);
  });
});

describe("a repository inside a workspace", () => {
  const nested = (path: string, name: string) => {
    run(path, "init", "-q", name);
    write(join(path, name), { inner: "i", "deep/er": "d", ".gitignore": "left\n", left: "l" });
  };

  it("without a commit is saved as ordinary files", async () => {
    const { path, workspace, saved, isClean } = await taken();
    nested(path, "sub");
    nested(join(path, "sub"), "subsub");
    const { changed, notes } = await saveWork(workspace, "nested");
    expect(changed).toEqual(expect.arrayContaining(["sub/.gitignore", "sub/deep/er", "sub/inner"]));
    expect(changed).not.toContain("sub/left");
    expect(notes[0]).toContain("sub is a repository of its own");
    expect(saved("sub/deep/er")).toBe("d");
    write(path, { "sub/inner": "changed" });
    await saveWork(workspace, "again");
    expect(saved("sub/inner")).toBe("changed");
    expect(saved("sub/subsub/inner")).toBe("i");
    isClean();
  });

  it("with commits has them kept too, and is gone for the next task", async () => {
    const { path, workspace, root, pool, take } = await taken();
    nested(path, "sub");
    const inner = commit(join(path, "sub"), "inner");
    const { notes } = await saveWork(workspace, "nested");
    expect(notes[0]).toContain("refs/seam/crew/kept/r/one/1");
    expect(run(root, "rev-parse", "refs/seam/crew/kept/r/one/1")).toBe(inner);
    await pool.release(workspace);
    expect(existsSync(join((await take("two")).path, "sub"))).toBe(false);
  });

  inFull("that is a submodule stays one, and its new commits are kept", async () => {
    setEnv("GIT_ALLOW_PROTOCOL", "file");
    const library = crewRepository({ lib: "1" }).root;
    const { root, take, pool } = crewRepository();
    const allow = ["-c", "protocol.file.allow=always"];
    run(root, ...allow, "submodule", "--quiet", "add", library, "lib");
    commitAll(root);
    const workspace = await take("one");
    const { path } = workspace;
    expect(await saveWork(workspace, "empty submodule")).toMatchObject({ changed: [], notes: [] });
    run(path, ...allow, "submodule", "--quiet", "update", "--init");
    expect(await saveWork(workspace, "same")).toMatchObject({ changed: [], notes: [] });
    write(join(path, "lib"), { lib: "2" });
    const inner = commit(join(path, "lib"), "inner");
    const { changed, notes } = await saveWork(workspace, "moved");
    expect(changed).toEqual(["lib"]);
    expect(notes).toEqual([expect.stringContaining("refs/seam/crew/kept/r/one/1")]);
    const kept = "refs/seam/crew/kept/r/one/1";
    expect(run(root, "rev-parse", kept)).toBe(inner);
    write(join(path, "lib"), { lib: "3" });
    const dirty = await saveWork(workspace, "dirty");
    expect(dirty.notes).toEqual([expect.stringContaining("What was changed in the submodule lib")]);
    expect(run(root, "show", `${kept}:lib`)).toBe("3");
    await pool.release(workspace);
    expect(run((await take("two")).path, "status", "--porcelain")).toBe("");
  });

  it("in place of the worktree itself takes nothing away", async () => {
    const { path, workspace, saved, isClean } = await taken();
    rmSync(join(path, ".git"));
    run(path, "init", "-q");
    write(path, { a: "2\n" });
    commit(path, "a history of its own");
    const { notes } = await saveWork(workspace, "work");
    expect(saved("a")).toBe("2");
    expect(notes.join(" ")).toMatch(/is kept at .*\.aside-1-git/);
    isClean();
  });
});

describe("a workspace that was damaged", () => {
  const gone = "The files of the worktree were gone: only what was committed before is saved.";
  const ways: [string, (workspace: Workspace, root: string) => void][] = [
    ["its folder deleted", ({ path }) => rmSync(path, { recursive: true })],
    [
      "emptied from the inside",
      ({ path }) => {
        rmSync(path, { recursive: true });
        mkdirSync(path);
      },
    ],
    ["removed by git", ({ path }, root) => void run(root, "worktree", "remove", "-f", "-f", path)],
    [
      "replaced by a link",
      ({ path }) => {
        rmSync(path, { recursive: true });
        symlinkSync("/tmp", path);
      },
    ],
  ];

  it.each(ways)("%s: what was committed is saved and there again", async (_, damage) => {
    const { workspace, path, root, saved, isClean, take, pool } = await taken();
    write(path, { a: "2\n" });
    commit(path, "by the agent");
    damage(workspace, root);
    const { notes, changed } = await saveWork(workspace, "what is left");
    expect(changed).toEqual(["a"]);
    expect(notes).toContain(gone);
    expect(saved("a")).toBe("2");
    isClean();
    expect(readFileSync(join(path, "a"), "utf8")).toBe("2\n");
    damage(workspace, root);
    const again = await take("one");
    expect(readFileSync(join(again.path, "a"), "utf8")).toBe("2\n");
    damage(again, root);
    await pool.release(again);
    damage(again, root);
    expect((await take("two")).path).toBe(path);
    isCleanAt(path);
  });

  it("by losing its git folder keeps its files", async () => {
    const { workspace, path, saved, isClean } = await taken();
    write(path, { a: "2\n", c: "c" });
    rmSync(workspace.repo.gitDir, { recursive: true });
    const { notes, changed } = await saveWork(workspace, "work");
    expect(changed).toEqual(["a", "c"]);
    expect(notes).toEqual([expect.stringContaining("git had forgotten")]);
    expect(saved("c")).toBe("c");
    isClean();
  });
});

function isCleanAt(path: string): void {
  expect(run(path, "status", "--porcelain")).toBe("");
}

describe("what was done meanwhile is brought in", () => {
  it("without a word where it fits", async () => {
    const { root, workspace, path, isClean } = await taken();
    write(root, { c: "c\n" });
    const theirs = commitAll(root);
    write(path, { a: "2\n" });
    expect(await bringIn(workspace, theirs)).toEqual({ commit: theirs, conflicts: [], words: [] });
    expect(readFileSync(join(path, "c"), "utf8")).toBe("c\n");
    isClean();
    expect((await saveWork(workspace, "same")).unresolved).toEqual([]);
    expect(run(root, "merge-base", "--is-ancestor", theirs, branchOf("one"))).toBe("");
  });

  it("as git merge leaves it where it does not, and saving finishes the merge", async () => {
    const { root, workspace, path, isClean } = await taken();
    write(root, { a: "theirs\n", c: "c\n" });
    rmSync(join(root, "folder"), { recursive: true });
    const theirs = commitAll(root);
    write(path, { a: "ours\n", "folder/b": "ours\n" });
    const { conflicts, words } = await bringIn(workspace, theirs);
    expect(conflicts).toEqual(["a", "folder/b"]);
    expect(words.join("\n")).toMatch(/content.*Merge conflict in a[\s\S]*modify\/delete/);
    expect(run(path, "status", "--porcelain")).toBe("UU a\nA  c\nUD folder/b");
    const unfinished = await saveWork(workspace, "not finished");
    expect(unfinished.unresolved).toEqual(["a"]);
    write(path, { a: "both\n" });
    const { commit: last, unresolved } = await saveWork(workspace, "finished");
    expect(unresolved).toEqual([]);
    expect(run(root, "merge-base", "--is-ancestor", theirs, last)).toBe("");
    expect(run(root, "show", `${last}:a`)).toBe("both");
    isClean();
  });

  it("with both sides of a file that is in none of the folders that the task asked for", async () => {
    const { take, root } = crewRepository({ "x/in": "1\n", "y/out": "1\n", "z/out": "1\n" });
    const workspace = await take("one", { sparse: ["x"] });
    const { path } = workspace;
    write(path, { "y/out": "ours\n" });
    write(root, { "y/out": "theirs\n", "z/out": "2\n" });
    const theirs = commitAll(root);
    expect((await bringIn(workspace, theirs)).conflicts).toEqual(["y/out"]);
    expect(run(path, "status", "--porcelain")).toBe("UU y/out\nM  z/out");
    expect((await saveWork(workspace, "not finished")).unresolved).toEqual(["y/out"]);
    write(path, { "y/out": "both\n" });
    const { commit: last, unresolved } = await saveWork(workspace, "finished");
    expect(unresolved).toEqual([]);
    expect(run(root, "show", `${last}:y/out`)).toBe("both");
    expect(run(root, "show", `${last}:z/out`)).toBe("2");
  });
});
