import { execFileSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitProcesses } from "../run/spawn-git.ts";
import {
  commitAll,
  init,
  opened,
  run,
  setEnv,
  tempDir,
  withFiles,
  write,
} from "../test-kit/index.ts";
import { openRepo } from "./open-repo.ts";

/** What git itself says about the place. */
function truth(cwd: string) {
  const ask = (...args: string[]) => run(cwd, "rev-parse", ...args);
  const isBare = ask("--is-bare-repository") === "true";
  return {
    gitDir: ask("--absolute-git-dir"),
    commonDir: ask("--path-format=absolute", "--git-common-dir"),
    workTree: isBare ? undefined : ask("--show-toplevel"),
    objectFormat: ask("--show-object-format"),
    isShallow: ask("--is-shallow-repository") === "true",
  };
}

/** Opens without any process, and agrees with git. */
async function quietly(cwd: string) {
  const before = gitProcesses();
  const repo = await opened(cwd);
  expect(gitProcesses()).toBe(before);
  expect(repo).toMatchObject(truth(cwd));
  return repo;
}

describe("a repository is found without a process", () => {
  it("from its root, from below, without a commit", async () => {
    const root = init();
    mkdirSync(join(root, "a/b"), { recursive: true });
    const plain = { worktreeId: "", refFormat: "files", isSparse: false, isShallow: false };
    expect(await quietly(root)).toMatchObject(plain);
    expect(await quietly(join(root, "a/b"))).toMatchObject({ workTree: root });
  });

  it("through a symbolic link to the folder", async () => {
    const root = init();
    const link = join(tempDir(), "link");
    symlinkSync(root, link);
    expect(await quietly(link)).toMatchObject({ workTree: root });
  });

  it("when it is bare", async () => {
    const root = init({ bare: true });
    expect(await quietly(root)).toMatchObject({ workTree: undefined, gitDir: root });
    expect(await openRepo(join(root, "refs"))).toMatchObject({ gitDir: root });
  });

  it("when its objects have long ids", async () => {
    expect(await quietly(init({ format: "sha256" }))).toMatchObject({ objectFormat: "sha256" });
  });

  it("from a linked work tree, and from the git folder of one", async () => {
    const root = withFiles({ a: "1" });
    const linked = join(tempDir(), "side");
    run(root, "worktree", "add", "-q", linked);
    const repo = await quietly(linked);
    expect(repo).toMatchObject({ worktreeId: "side", workTree: linked });
    expect(repo.commonDir).toBe(join(root, ".git"));
    expect(await openRepo(repo.gitDir)).toEqual(repo);
    expect(await openRepo(join(root, ".git"))).toMatchObject({ workTree: root, worktreeId: "" });
  });

  it("from a work tree that belongs to a bare repository", async () => {
    const bare = init({ bare: true });
    const clone = join(tempDir(), "clone");
    run(bare, "clone", "-q", bare, clone);
    write(clone, { a: "1" });
    run(clone, "config", "user.name", "Test User");
    run(clone, "config", "user.email", "test@example.com");
    commitAll(clone);
    run(clone, "push", "-q", "origin", "HEAD:main");
    const linked = join(tempDir(), "side");
    run(bare, "worktree", "add", "-q", linked, "main");
    expect(await quietly(linked)).toMatchObject({ workTree: linked, commonDir: bare });
  });

  it("from inside a submodule", async () => {
    const inner = withFiles({ a: "1" });
    const root = withFiles({ b: "1" });
    run(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
    const repo = await quietly(join(root, "sub"));
    expect(repo).toMatchObject({ workTree: join(root, "sub"), worktreeId: "" });
    expect(repo.gitDir).toBe(join(root, ".git/modules/sub"));
    // Some tools start there.
    expect(await openRepo(repo.gitDir)).toMatchObject({ workTree: join(root, "sub") });
  });

  it("when its git folder is elsewhere", async () => {
    const [root, place] = [tempDir(), join(tempDir(), "elsewhere")];
    run(root, "init", "-q", `--separate-git-dir=${place}`);
    expect(await quietly(root)).toMatchObject({ gitDir: place, workTree: root });
  });

  it("when it is shallow, sparse, partial or shared", async () => {
    const origin = withFiles({ "a/b": "1", "c/d": "2" });
    commitAll(origin);
    run(origin, "config", "uploadpack.allowFilter", "true");
    const clone = join(tempDir(), "clone");
    run(origin, "clone", "-q", "--depth=1", `file://${origin}`, clone);
    expect(await quietly(clone)).toMatchObject({
      isShallow: true,
      isSparse: false,
      isShared: false,
    });
    run(clone, "sparse-checkout", "set", "a");
    run(clone, "config", "core.sharedRepository", "group");
    expect(await quietly(clone)).toMatchObject({
      isSparse: true,
      isShared: true,
      isPartial: false,
    });
    const partial = join(tempDir(), "partial");
    run(origin, "clone", "-q", "--filter=blob:none", `file://${origin}`, partial);
    expect(await quietly(partial)).toMatchObject({ isPartial: true });
  });
});

describe("a folder that only looks like a repository", () => {
  it("is none inside of a work tree, wherever the search begins", async () => {
    const root = withFiles({ a: "1" });
    for (const name of [".seam", "deep/er/fake.git"]) {
      cpSync(join(root, ".git"), join(root, name), { recursive: true });
      for (const cwd of [join(root, name), join(root, name, "refs")]) {
        expect(await openRepo(cwd)).toMatchObject({ gitDir: join(root, ".git"), workTree: root });
      }
    }
  });

  it("has no work tree that does not know of it", async () => {
    const [root, home] = [init({ bare: true }), tempDir()];
    run(root, "config", "core.bare", "false");
    run(root, "config", "core.worktree", home);
    expect(await openRepo(root)).toMatchObject({ workTree: undefined });
    const plain = withFiles({ a: "1" });
    run(plain, "config", "core.worktree", home);
    expect(await openRepo(plain)).toMatchObject({ workTree: undefined });
    run(plain, "config", "core.worktree", plain);
    expect(await openRepo(plain)).toMatchObject({ workTree: plain });
  });
});

describe("git is asked", () => {
  it("when the configuration has an extension that Seam does not know, and may refuse", async () => {
    const root = init();
    run(root, "config", "extensions.fromTheFuture", "true");
    const before = gitProcesses();
    expect(await openRepo(root)).toMatchObject(truth(root));
    expect(gitProcesses()).toBeGreaterThan(before);
    run(root, "config", "core.repositoryFormatVersion", "1");
    await expect(openRepo(root)).rejects.toMatchObject({
      code: "SEAM_GIT",
      message: expect.stringMatching(/fromthefuture/i),
    });
  });

  it("where it was told not to look further up", async () => {
    const root = init();
    mkdirSync(join(root, "a"));
    setEnv("GIT_CEILING_DIRECTORIES", root);
    expect(await openRepo(join(root, "a"))).toBeUndefined();
    setEnv("GIT_CEILING_DIRECTORIES", tempDir());
    expect(await openRepo(join(root, "a"))).toMatchObject({ workTree: root });
  });

  it.runIf(process.getuid?.() === 0)("when it belongs to somebody else", async () => {
    const root = init();
    chownSync(join(root, ".git"), 65534, 65534);
    chownSync(root, 65534, 65534);
    await expect(openRepo(root)).rejects.toMatchObject({
      message: expect.stringContaining("safe.directory"),
    });
  });
});

describe("there is none", () => {
  it("in a plain folder, in one that is gone, and where .git is no repository", async () => {
    const dir = tempDir();
    expect(await openRepo(dir)).toBeUndefined();
    expect(await openRepo(join(dir, "gone"))).toBeUndefined();
    mkdirSync(join(dir, ".git"));
    expect(await openRepo(dir)).toBeUndefined();
  });

  it("where .git leads to nothing, or is nonsense", async () => {
    const dir = tempDir();
    writeFileSync(join(dir, ".git"), "gitdir: /nowhere\n");
    expect(await openRepo(dir)).toBeUndefined();
    writeFileSync(join(dir, ".git"), "what");
    await expect(openRepo(dir)).rejects.toMatchObject({ code: "SEAM_GIT" });
  });

  it("where HEAD was lost", async () => {
    const root = withFiles({ a: "1" });
    writeFileSync(join(root, ".git/HEAD"), "");
    expect(await openRepo(root)).toBeUndefined();
    rmSync(join(root, ".git/HEAD"));
    expect(await openRepo(root)).toBeUndefined();
  });
});

describe("a pipe in the place of a file of git", () => {
  const places = [
    ...["HEAD", "config", "index", "commondir", "packed-refs", "shallow"],
    ...["info/exclude", "info/attributes", "objects/info/alternates"],
  ];
  it.each(places)("at %s makes nobody wait, and no git is started", async (name) => {
    const { workTree, gitDir } = await opened(init());
    expect(workTree).toBeDefined();
    rmSync(join(gitDir, name), { force: true });
    mkdirSync(join(gitDir, name, ".."), { recursive: true });
    execFileSync("mkfifo", [join(gitDir, name)]);
    const before = gitProcesses();
    await expect(openRepo(workTree ?? "")).rejects.toMatchObject({
      code: "SEAM_FILE_UNFIT",
      message: expect.stringMatching(new RegExp(`${name}.*is not a file`)),
    });
    expect(gitProcesses()).toBe(before);
  });
});
