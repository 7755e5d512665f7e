import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { ObjectBatch, ObjectStore, rawPath } from "../../git/index.ts";
import { nextMoment, recordOf, turn } from "../history/test-kit.ts";
import { turnNamed } from "../history/turns.ts";
import type { RepoRecord } from "../repo-record.ts";
import { planRewind } from "../rewind/plan.ts";
import { rewind } from "../rewind/rewind.ts";
import { findTarget } from "../rewind/target.ts";
import { FakeClaude } from "../test-kit/fake-claude.ts";
import { Project } from "../test-kit/project.ts";
import { Workshop } from "../test-kit/workshop.ts";
import { floodCheck } from "./left-out.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import { floodOf } from "./untracked-limit.ts";
import { wholeWorkTree } from "./work-tree.ts";

const ones = (paths: readonly string[]) =>
  paths.map((path) => ({ path: rawPath(path), weight: 1 }));

const filesIn = (folder: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${folder}${n}.txt`);

function fill(project: Project, folder: string, count: number, text = "x"): void {
  for (const path of filesIn(folder, count)) project.write(path, `${text} ${path}\n`);
}

async function bounded(project: Project, files: number, bytes = 1024 * 1024): Promise<RepoRecord> {
  return { ...(await recordOf(project.root)), bounds: { files, bytes } };
}

async function look(project: Project, record: RepoRecord, named: readonly string[] = []) {
  const head = project.git("rev-parse", "HEAD^{tree}");
  const options = { head, bounds: record.bounds, named: named.map((path) => rawPath(path)) };
  const { tree, leftOut } = await wholeWorkTree(record, new ObjectBatch(record.store), options);
  return { leftOut, files: project.git("ls-tree", "-r", "--name-only", tree).split("\n") };
}

describe("what a snapshot costs", () => {
  /** How many folders were read from git for a snapshot with so many untracked files. */
  async function readsFor(count: number): Promise<number> {
    const project = new Project();
    const record = await recordOf(project.root);
    const about = { session_id: "s", agent: "claude-code", turn_id: "0123456789ab" } as const;
    fill(project, "data/", count);
    await takeSnapshot(record, { ...about, moment: "start", at: nextMoment() });
    const read = vi.spyOn(ObjectStore.prototype, "read");
    fill(project, "data/", count / 2, "changed");
    await takeSnapshot(record, { ...about, moment: "end", at: nextMoment() });
    const { length } = read.mock.calls;
    read.mockRestore();
    return length;
  }

  test("reads each folder once, however many untracked files are in it", async () => {
    const few = await readsFor(50);
    expect(few).toBeLessThan(20);
    expect(await readsFor(200)).toBe(few);
  });

  test("grows with the files of a turn and not with their square", async () => {
    const readsOfTurn = async (count: number) => {
      const shop = await Workshop.open();
      const claude = new FakeClaude(shop, { process: false });
      await claude.start();
      const read = vi.spyOn(ObjectStore.prototype, "read");
      for (const text of ["first", "second"]) {
        await claude.turn(text, () =>
          claude.tool("Bash", { command: "make" }, () => fill(shop, "data/", count, text)),
        );
      }
      const { length } = read.mock.calls;
      read.mockRestore();
      return length;
    };
    const few = await readsOfTurn(40);
    expect(await readsOfTurn(80)).toBeLessThanOrEqual(few * 2);
  });
});

describe("a flood of untracked files", () => {
  test("in one folder is left out as that folder, and all else stays", async () => {
    const project = new Project();
    fill(project, "vendor/deep/a/", 8);
    fill(project, "vendor/deep/b/", 8);
    project.write("notes.md", "mine\n");
    project.write("vendor/own.ts", "mine\n");
    const { files, leftOut } = await look(project, await bounded(project, 10));
    expect(leftOut).toEqual([{ path: "vendor/deep/b/*", why: "too many", files: 8 }]);
    expect(files).toContain("notes.md");
    expect(files).toContain("vendor/own.ts");
    expect(files).toContain("vendor/deep/a/0.txt");
  });

  test("that is spread over many folders of one is left out as that one", async () => {
    const paths = Array.from({ length: 20 }, (_, n) => filesIn(`data/${n}/`, 5)).flat();
    expect(floodOf(ones([...paths, "a.ts"]), 30)).toEqual([
      { path: "data/", why: "too many", files: 100 },
    ]);
  });

  test("directly at the top is left out without what is in folders", async () => {
    expect(floodOf(ones([...filesIn("", 50), ...filesIn("src/", 5)]), 10)).toEqual([
      { path: "*", why: "too many", files: 50 },
    ]);
  });

  test("in more places than can be listed is all that is untracked", async () => {
    const paths = Array.from({ length: 1_000 }, (_, n) => `${n}/file`);
    expect(floodOf(ones(paths), 10)).toEqual([{ path: "./", why: "too many", files: 1_000 }]);
  });

  test("of bytes goes with its biggest file", async () => {
    const project = new Project();
    project.write("big.bin", Buffer.alloc(5_000));
    project.write("small.txt", "small\n");
    const { files, leftOut } = await look(project, await bounded(project, 10, 1_000));
    expect(leftOut).toEqual([{ path: "big.bin", why: "too big" }]);
    expect(files).toEqual(["README.md", "small.txt"]);
  });

  test("leaves at most as many as there may be, and says of each file where it is", () => {
    const name = fc.constantFrom("a", "b", "c", "d*", "e");
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
    const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(paths, fc.integer({ min: 1, max: 20 }), (all, most) => {
        // A name is a file or a folder.
        const files = all.filter((one) => !all.some((other) => other.startsWith(`${one}/`)));
        const flood = floodOf(ones(files), most);
        const isLeft = floodCheck(flood);
        const left = files.filter((one) => isLeft(rawPath(one)));
        expect(files.length - left.length).toBeLessThanOrEqual(most);
        expect(flood.reduce((sum, one) => sum + (one.files ?? 1), 0)).toBe(left.length);
        expect(floodOf(ones([...files].reverse()), most)).toEqual(flood);
      }),
    );
  });

  test("keeps what the agent's tools named", async () => {
    const project = new Project();
    fill(project, "data/", 30);
    const { files } = await look(project, await bounded(project, 10), ["data/7.txt"]);
    expect(files).toEqual(["README.md", "data/7.txt"]);
  });

  test("is neither deleted nor written over by a rewind to before it was one", async () => {
    const project = new Project();
    const record = await bounded(project, 10);
    fill(project, "data/", 5, "old");
    project.write("own.ts", "old\n");
    const before = await turn(record, () => {
      fill(project, "data/", 30, "new");
      project.write("own.ts", "new\n");
    });
    const plan = await planRewind(record, await findTarget(record.store, before));
    expect(plan.changes.map(({ path }) => path)).toEqual(["own.ts"]);
    expect(plan.left).toEqual([{ path: "data/*", why: "too many" }]);
    await rewind(record, plan);
    expect(filesIn("data/", 30).every((path) => existsSync(join(project.root, path)))).toBe(true);
  });

  test("of earlier is not deleted by a rewind when it is none any more", async () => {
    const project = new Project();
    const record = await bounded(project, 10);
    fill(project, "data/", 30);
    const before = await turn(record, () => {
      for (const path of filesIn("data/", 30).slice(5)) rmSync(join(project.root, path));
    });
    const plan = await planRewind(record, await findTarget(record.store, before));
    expect(plan.changes).toEqual([]);
    // Nobody knows what the turn did there, so nobody says that it did something.
    expect((await turnNamed(record.store, before))?.files).toEqual([]);
  });

  test("is said once, and what the turn did beside it is known", async () => {
    const shop = await Workshop.open({ bounds: { files: 10, bytes: 1_000_000 } });
    const claude = new FakeClaude(shop, { process: false });
    await claude.start();
    for (const text of ["first", "second"]) {
      await claude.turn(text, () =>
        claude.tool("Bash", { command: "make" }, () => {
          fill(shop, "data/", 30, text);
          shop.write("own.ts", text);
        }),
      );
    }
    const said = shop.said.filter((line) => line.includes("left out"));
    expect(said).toEqual(["warn: data/* is left out of snapshots: too many (30 untracked files)"]);
    const { states } = await shop.record();
    const [state] = states.all();
    expect(Object.keys(state?.pending.files ?? {})).toEqual(["own.ts"]);
  });
});
