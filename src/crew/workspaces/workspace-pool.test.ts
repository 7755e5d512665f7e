import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitAll, init, run, setEnv, tempDir, write } from "../../git/test-kit/index.ts";
import { saveWork } from "./save-work.ts";
import { branchOf, crewRepository, poolFor } from "./test-kit.ts";

const read = (path: string, name: string) => readFileSync(join(path, name), "utf8");

describe("a workspace", () => {
  it("is a worktree on the task's branch, outside of the repository and of Seam's home", async () => {
    const { root, home, take, base } = crewRepository();
    const before = read(root, ".git/config");
    const { path, branch, slot, env, notes } = await take("one");
    expect(path.startsWith(root) || path.startsWith(home)).toBe(false);
    expect(path.split("/").filter((part) => part.startsWith("."))).toEqual([]);
    expect(run(path, "symbolic-ref", "HEAD")).toBe(`refs/heads/${branch}`);
    expect(run(path, "rev-parse", "HEAD")).toBe(base);
    expect(run(path, "status", "--porcelain")).toBe("");
    expect(read(path, "folder/b")).toBe("1\n");
    expect(env).toEqual({ SEAM_SLOT: String(slot), SEAM_PORT_BASE: "21000" });
    expect(notes).toEqual([]);
    expect(read(root, ".git/config")).toBe(before);
  });

  it("that was released is used again: what git ignores stays, everything else goes", async () => {
    const { root, take, pool } = crewRepository();
    const first = await take("one");
    write(first.path, { a: "2\n", "new/file": "n", built: "x" });
    rmSync(join(first.path, "folder"), { recursive: true });
    await pool.release(first);
    write(root, { c: "c\n" });
    const base = commitAll(root);
    const second = await take("two", { base });
    expect(second.path).toBe(first.path);
    expect(run(second.path, "status", "--porcelain", "--ignored")).toBe("!! built");
    expect(run(second.path, "ls-files")).toBe(".gitignore\na\nc\nfolder/b");
    expect(read(second.path, "a")).toBe("1\n");
    expect(run(root, "show", `${branchOf("one")}:new/file`)).toBe("n");
  });

  it("is as the next task needs it, whatever index the agent before could write", async () => {
    const { take, pool } = crewRepository();
    const first = await take("one");
    const { gitDir } = first.repo;
    const indexes = readdirSync(gitDir, { withFileTypes: true }).filter(
      (entry) => entry.isFile() && read(gitDir, entry.name).startsWith("DIRC"),
    );
    expect(indexes).not.toEqual([]);
    for (const { name } of indexes) {
      setEnv("GIT_INDEX_FILE", join(gitDir, name));
      run(first.path, "update-index", "--assume-unchanged", "a");
    }
    setEnv("GIT_INDEX_FILE", undefined);
    write(first.path, { a: "for whoever comes next\n" });
    await pool.release(first);
    const second = await take("two");
    expect(second.path).toBe(first.path);
    expect(read(second.path, "a")).toBe("1\n");
  });

  it("has no folders of the task before it, and those that git ignores", async () => {
    const { take, pool } = crewRepository({ a: "1\n", "folder/b": "1\n", ".gitignore": "built\n" });
    const first = await take("one");
    for (const name of ["left/deep", "folder/left", "built/empty"]) {
      mkdirSync(join(first.path, name), { recursive: true });
    }
    await pool.release(first);
    const second = await take("two");
    expect(second.path).toBe(first.path);
    expect(["left", "folder/left"].filter((name) => existsSync(join(second.path, name)))).toEqual(
      [],
    );
    expect(existsSync(join(second.path, "built/empty"))).toBe(true);
  });

  it("is prepared without writing through links that the agent before put into its git folder", async () => {
    const { root, take, pool } = crewRepository();
    write(root, { ".worktreeinclude": ".env\n" });
    const elsewhere = tempDir();
    const first = await take("one", { sparse: ["folder"] });
    const { gitDir } = first.repo;
    const names = ["index", "seam-index", "seam-index.copy", "seam-include", "seam-conflicts"];
    const temporary = ["HEAD", "index"].map((name) => `${name}.${process.pid}.tmp`);
    const links = [...names, ...temporary, "info"];
    for (const name of links) {
      const target = join(elsewhere, name);
      if (name === "info") mkdirSync(target);
      else writeFileSync(target, "the user's");
      rmSync(join(gitDir, name), { recursive: true, force: true });
      symlinkSync(target, join(gitDir, name));
    }
    await pool.release(first);
    const second = await take("two", { sparse: ["folder"] });
    expect(second.path).toBe(first.path);
    expect(readdirSync(join(elsewhere, "info"))).toEqual([]);
    expect(
      [...names, ...temporary].filter((name) => read(elsewhere, name) !== "the user's"),
    ).toEqual([]);
  });

  it("is the task's own until it is released, also for another process", async () => {
    const { root, home, take, base } = crewRepository();
    const first = await take("one");
    write(first.path, { a: "2\n" });
    const again = await poolFor({ repository: root, home }).take("one");
    expect(again).toMatchObject({ path: first.path, slot: first.slot, base });
    expect(read(again.path, "a")).toBe("2\n");
  });

  it("has a number and ports that no other one has, whoever takes them at the same time", async () => {
    const { root, home } = crewRepository();
    const other = crewRepository();
    const pools = [
      ...["a", "b", "c"].map((task) => [task, poolFor({ repository: root, home })] as const),
      ...["d", "e"].map((task) => [task, poolFor({ repository: other.root, home })] as const),
    ];
    const all = await Promise.all(pools.map(([task, { take }]) => take(task)));
    expect(new Set(all.map(({ slot }) => slot)).size).toBe(5);
    expect(new Set(all.map(({ env }) => env.SEAM_PORT_BASE)).size).toBe(5);
    expect(new Set(all.map(({ path }) => path)).size).toBe(5);
  });

  it("begins where the task's branch is, if it has one already", async () => {
    const { take, pool } = crewRepository();
    const first = await take("one");
    write(first.path, { a: "2\n" });
    await pool.release(first);
    const second = await take("one");
    expect(read(second.path, "a")).toBe("2\n");
    expect((await saveWork(second, "again")).changed).toEqual(["a"]);
  });

  it("begins with the work of all the tasks before it", async () => {
    const { root, take } = crewRepository();
    const [one, two] = [await take("one"), await take("two")];
    write(one.path, { a: "2\n" });
    write(two.path, { "folder/b": "2\n" });
    const commits = [(await saveWork(one, "1")).commit, (await saveWork(two, "2")).commit];
    const both = await take("three", { base: commits });
    expect([read(both.path, "a"), read(both.path, "folder/b")]).toEqual(["2\n", "2\n"]);
    expect(run(root, "rev-parse", `${both.base}^@`).split("\n")).toEqual(commits);
    // What one of them has is not merged again.
    expect((await take("four", { base: [both.base, ...commits] })).base).toBe(both.base);
    write(two.path, { a: "3\n" });
    const { commit } = await saveWork(two, "3");
    await expect(take("five", { base: [both.base, commit] })).rejects.toMatchObject({
      code: "SEAM_CREW_BASE",
      message: expect.stringContaining("Merge conflict in a"),
    });
  });

  it("without a branch looks at a commit, and nothing in it is saved", async () => {
    const { root, take, pool, base } = crewRepository();
    const workspace = await take("proof", { branch: undefined });
    write(workspace.path, { "coverage.txt": "x" });
    expect(await pool.release(workspace)).toBeUndefined();
    expect(run(root, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    expect(run(workspace.path, "rev-parse", "HEAD")).toBe(base);
  });

  it("has only the folders that were asked for, and all of them the next time", async () => {
    const { root, take, pool } = crewRepository({
      top: "t",
      "x/y/in": "1",
      "x/z/out": "1",
      "w/out": "1",
    });
    const before = read(root, ".git/config");
    const few = await take("few", { sparse: ["x/y"] });
    const files = ["top", "x/y/in", "x/z/out", "w/out"];
    const there = () => files.filter((name) => existsSync(join(few.path, name)));
    expect(there()).toEqual(["top", "x/y/in"]);
    write(few.path, { "x/y/in": "2", "x/z/new": "n" });
    const saved = await saveWork(few, "few");
    expect(saved).toMatchObject({ changed: ["x/y/in", "x/z/new"], notes: [] });
    expect(few.env).toMatchObject({
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "core.sparseCheckout",
    });
    await pool.release(few);
    expect((await take("all")).path).toBe(few.path);
    expect(there()).toEqual(files);
    expect(read(root, ".git/config")).toBe(before);
  });

  it("can be deleted when nobody has it", async () => {
    const { root, take, pool } = crewRepository();
    const [one, two] = [await take("one"), await take("two")];
    await pool.release(one);
    expect(await pool.trim()).toBe(1);
    expect([existsSync(one.path), existsSync(two.path)]).toEqual([false, true]);
    expect(run(root, "worktree", "list").split("\n")).toHaveLength(2);
    expect((await take("three")).slot).toBe(one.slot);
  });
});

describe("what a workspace needs beside the commit", () => {
  it("is copied where .worktreeinclude names it and git ignores it, and is no link", async () => {
    const { root, home } = crewRepository();
    write(root, {
      ".worktreeinclude": ".env\ndata/\n*.txt\nlinks/*\n../beside\n/etc/hostname\n",
      ".gitignore": "built\n.env\ndata/\nlinks\n",
      ".env": "KEY=1",
      "data/one": "1",
      "notes.txt": "not ignored",
    });
    writeFileSync(join(root, "../beside"), "not the project's");
    symlinkSync("../data/one", join(root, "data/two"));
    symlinkSync("/etc/hostname", join(root, "data/outside"));
    commitAll(root);
    const { take, pool } = poolFor({ repository: root, home });
    const first = await take("one");
    expect(read(first.path, ".env")).toBe("KEY=1");
    expect(read(first.path, "data/two")).toBe("1");
    expect(existsSync(join(first.path, "data/outside"))).toBe(false);
    expect(existsSync(join(first.path, "../beside"))).toBe(false);
    expect(existsSync(join(first.path, "etc/hostname"))).toBe(false);
    expect(first.notes).toEqual([expect.stringContaining("data/outside was not copied")]);
    write(first.path, { ".env": "changed by an agent", "data/one": "1" });
    await pool.release(first);
    expect(read((await take("two")).path, ".env")).toBe("KEY=1");
  });

  it("is not copied where the task's commit would not ignore it, or through a link", async () => {
    const { root, take, pool } = crewRepository({ a: "1", ".gitignore": "conf/\n" });
    write(root, { ".worktreeinclude": "local\nconf/\n", ".gitignore": "local\nconf/\n" });
    write(root, { local: "mine", "conf/x": "mine" });
    const first = await take("one");
    expect(existsSync(join(first.path, "local"))).toBe(false);
    expect(first.notes).toEqual([expect.stringContaining("local was not copied")]);
    const elsewhere = tempDir();
    rmSync(join(first.path, "conf"), { recursive: true });
    symlinkSync(elsewhere, join(first.path, "conf"));
    write(first.path, { ".gitignore": "conf\n" });
    await pool.release(first);
    await take("two", { branch: branchOf("one") });
    expect(existsSync(join(elsewhere, "x"))).toBe(false);
  });

  it("is set up by a command, again only when a lock file changed", async () => {
    const { root, home } = crewRepository({ a: "1", "sub/yarn.lock": "1", ".gitignore": "log\n" });
    const setup = { command: "echo $SEAM_SLOT >>log", timeoutMs: 10_000 };
    const { take, pool } = poolFor({ repository: root, home, setup });
    const { path } = await take("one");
    const times = () => read(path, "log").trim().split("\n").length;
    const next = async (task: string) => pool.release(await take(task));
    expect(times()).toBe(1);
    await next("one");
    write(root, { a: "2" });
    commitAll(root);
    await next("two");
    expect(times()).toBe(1);
    write(root, { "sub/yarn.lock": "2" });
    commitAll(root);
    await next("three");
    expect(times()).toBe(2);
  });

  it("fails with the command's output when it cannot be set up, and the slot is free", async () => {
    const { root, home, pool } = crewRepository();
    const broken = poolFor({
      repository: root,
      home,
      setup: { command: "echo no network; exit 4", timeoutMs: 10_000 },
    });
    const failing = broken.take("one");
    await expect(failing).rejects.toMatchObject({
      code: "SEAM_CREW_SETUP",
      message: expect.stringContaining("exit code 4"),
    });
    const { details } = await failing.catch((error) => error);
    expect(readFileSync(details.file, "utf8")).toBe("no network\n");
    expect(await pool.reconcile(() => false)).toEqual([]);
    expect((await broken.take("two").catch((error) => error)).details.path).toBe(details.path);
  });
});

describe("a repository", () => {
  it("that is none, or whose base is no commit, is refused with a next step", async () => {
    const nowhere = poolFor({ repository: tempDir(), home: join(tempDir(), ".seam") });
    await expect(nowhere.take("one")).rejects.toMatchObject({ code: "SEAM_CREW_NO_REPO" });
    const empty = poolFor({ repository: init(), home: join(tempDir(), ".seam") });
    await expect(empty.take("one", { base: "HEAD" })).rejects.toMatchObject({
      code: "SEAM_CREW_COMMIT",
    });
  });

  it("with other object ids, a detached HEAD, and changes of the user's is left as it is", async () => {
    const { root, take, pool, base } = crewRepository(undefined, { format: "sha256" });
    run(root, "checkout", "-q", "--detach");
    write(root, { a: "the user's", untracked: "u" });
    writeFileSync(join(root, "staged"), "s");
    run(root, "add", "staged");
    const index = readFileSync(join(root, ".git/index"));
    const status = run(root, "status", "--porcelain");
    const one = await take("one", { base });
    write(one.path, { a: "2\n" });
    const saved = await pool.release(one);
    expect(saved?.commit).toHaveLength(64);
    expect(readFileSync(join(root, ".git/index"))).toEqual(index);
    expect(run(root, "status", "--porcelain")).toBe(status);
    expect(read(root, "a")).toBe("the user's");
  });

  it("runs nothing that its configuration names", async () => {
    const { root, take, pool } = crewRepository({
      a: "1\n",
      ".gitattributes": "*.x filter=evil\n",
    });
    const ran = join(tempDir(), "ran");
    for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
      write(root, { [`.git/hooks/${hook}`]: `#!/bin/sh\necho ${hook} >>'${ran}'\n` });
      chmodSync(join(root, ".git/hooks", hook), 0o755);
    }
    run(root, "config", "core.fsmonitor", `echo fsmonitor >>'${ran}'; false`);
    for (const what of ["clean", "smudge"]) {
      run(root, "config", `filter.evil.${what}`, `echo ${what} >>'${ran}'; cat`);
    }
    // They do run where somebody lets them.
    write(root, { "c.x": "1" });
    run(root, "add", "c.x");
    run(root, "checkout", "-q", "-b", "other");
    const names = [...new Set(read("", ran).trim().split("\n"))].sort();
    expect(names).toEqual([
      "clean",
      "fsmonitor",
      "post-checkout",
      "post-index-change",
      "reference-transaction",
    ]);
    rmSync(ran);
    const one = await take("one");
    write(one.path, { a: "2\n", "b.x": "goes through a filter" });
    const saved = await pool.release(one);
    expect(existsSync(ran)).toBe(false);
    expect(saved?.leftOut).toEqual(["b.x"]);
    expect(saved?.notes.at(-1)).toContain(`${one.path}.left/r/one`);
    expect(read(`${one.path}.left/r/one`, "b.x")).toBe("goes through a filter");
  });
});
