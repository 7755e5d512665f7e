import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Repo } from "../repo/repo.ts";
import { gitProcesses } from "../run/spawn-git.ts";
import { commitAll, opened, run, tempDir, withFiles, write } from "../test-kit/index.ts";
import { listRefs } from "./list-refs.ts";
import { readRef } from "./read-ref.ts";

async function repository() {
  const root = withFiles({ a: "1" });
  const first = run(root, "rev-parse", "HEAD");
  write(root, { a: "2" });
  const second = commitAll(root);
  return { root, first, second, repo: await opened(root) };
}

describe("reading a reference", () => {
  it("finds loose and packed ones; the loose one counts; no process is started", async () => {
    const { root, repo, first, second } = await repository();
    run(root, "update-ref", "refs/seam/a", first);
    run(root, "tag", "-a", "-m", "annotated", "v1", first);
    run(root, "pack-refs", "--all", "--prune");
    const before = gitProcesses();
    expect(await readRef(repo, "refs/seam/a")).toBe(first);
    run(root, "update-ref", "refs/seam/a", second);
    expect(await readRef(repo, "refs/seam/a")).toBe(second);
    run(root, "pack-refs", "--all", "--prune");
    expect(await readRef(repo, "refs/seam/a")).toBe(second);
    run(root, "update-ref", "-d", "refs/seam/a");
    expect(await readRef(repo, "refs/seam/a")).toBeUndefined();
    expect(await readRef(repo, "refs/tags/v1")).toBe(run(root, "rev-parse", "v1"));
    expect(await readRef(repo, "refs/tags/v")).toBeUndefined();
    expect(gitProcesses()).toBe(before);
  });

  it("follows symbolic ones, and ends when they form a circle", async () => {
    const { root, repo, second } = await repository();
    run(root, "symbolic-ref", "refs/seam/head", "refs/heads/main");
    expect(await readRef(repo, "refs/seam/head")).toBe(second);
    expect(await readRef(repo, "HEAD")).toBe(second);
    write(root, {
      ".git/refs/seam/x": "ref: refs/seam/y\n",
      ".git/refs/seam/y": "ref: refs/seam/x\n",
    });
    await expect(readRef(repo, "refs/seam/x")).rejects.toMatchObject({ code: "SEAM_GIT_REF" });
  });

  it("says nothing for folders and says what is wrong with damaged ones", async () => {
    const { root, repo } = await repository();
    mkdirSync(join(root, ".git/refs/seam/empty"), { recursive: true });
    expect(await readRef(repo, "refs/seam/empty")).toBeUndefined();
    for (const content of ["", "\0\0\0", "nonsense\n", "0123\n"]) {
      write(root, { ".git/refs/seam/bad": content });
      await expect(readRef(repo, "refs/seam/bad")).rejects.toMatchObject({ code: "SEAM_GIT_REF" });
    }
  });

  it("never leads out of the refs", async () => {
    const { root, repo } = await repository();
    await expect(readRef(repo, "refs/../config")).rejects.toMatchObject({ code: "SEAM_GIT_NAME" });
    write(root, { ".git/refs/seam/evil": "ref: ../../../etc/passwd\n" });
    await expect(readRef(repo, "refs/seam/evil")).rejects.toMatchObject({ code: "SEAM_GIT_NAME" });
  });

  it("is shared between work trees, except what is a work tree's own", async () => {
    const { root, repo, first, second } = await repository();
    const side = join(tempDir(), "side");
    run(root, "worktree", "add", "-q", "--detach", side, first);
    const other = await opened(side);
    run(root, "update-ref", "refs/seam/a", second);
    run(side, "update-ref", "refs/worktree/a", first);
    expect(await readRef(other, "refs/seam/a")).toBe(second);
    expect(await readRef(other, "refs/worktree/a")).toBe(first);
    expect(await readRef(repo, "refs/worktree/a")).toBeUndefined();
    expect(await readRef(other, "HEAD")).toBe(first);
  });
});

/** The same repository, taken for one whose references only git can read. */
const throughGit = (repo: Repo): Repo => ({ ...repo, refFormat: "reftable" });

describe("listing references", () => {
  it("mixes loose and packed ones and agrees with git", async () => {
    const { root, repo, first, second } = await repository();
    for (const name of ["turns/a", "turns/b/c", "turns-more", "x"]) {
      run(root, "update-ref", `refs/seam/${name}`, first);
    }
    run(root, "pack-refs", "--all");
    run(root, "update-ref", "refs/seam/turns/a", second);
    run(root, "update-ref", "refs/seam/turns/new", second);
    write(root, { ".git/refs/seam/turns/new.lock": "" });
    const all = await listRefs(repo, "refs/seam/");
    const lines = run(root, "for-each-ref", "--format=%(refname) %(objectname)", "refs/seam/");
    expect(all.map(({ name, id }) => `${name} ${id}`)).toEqual(lines.split("\n"));
    const names = async (prefix: string) => (await listRefs(repo, prefix)).map(({ name }) => name);
    expect(await names("refs/seam/turns/")).toEqual(
      ["a", "b/c", "new"].map((name) => `refs/seam/turns/${name}`),
    );
    expect(await names("refs/seam/turns")).toHaveLength(4);
    expect(await names("refs/nothing/")).toEqual([]);
    expect(await listRefs(throughGit(repo), "refs/seam/turns")).toEqual(
      await listRefs(repo, "refs/seam/turns"),
    );
  });

  it("shows damaged ones without an object", async () => {
    const { root, repo, first } = await repository();
    run(root, "update-ref", "refs/seam/a", first);
    writeFileSync(join(root, ".git/refs/seam/b"), "");
    expect(await listRefs(repo, "refs/seam/")).toEqual([
      { name: "refs/seam/a", id: first },
      { name: "refs/seam/b", id: undefined },
    ]);
  });
});

it("git reads what files do not tell", async () => {
  const { root, repo, first } = await repository();
  run(root, "update-ref", "refs/seam/a", first);
  const other = throughGit(repo);
  expect(await readRef(other, "refs/seam/a")).toBe(first);
  expect(await readRef(other, "refs/seam/b")).toBeUndefined();
});
