import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { smallDisk } from "../../git/test-kit/small-disk.ts";
import { recordOf, turn } from "../history/test-kit.ts";
import type { RepoRecord } from "../repo-record.ts";
import { Project } from "../test-kit/project.ts";
import { applyIO } from "./apply.ts";
import { readJournal, writeJournal } from "./journal.ts";
import { planRewind, type RewindPlan } from "./plan.ts";
import { type RewindIO, rewind, undoTarget } from "./rewind.ts";
import { saveState } from "./saved-state.ts";
import { findTarget } from "./target.ts";

const text = (project: Project, path: string) => readFileSync(join(project.root, path), "utf8");
const planTo = async (record: RepoRecord, id: string, moment?: "start" | "end") =>
  planRewind(record, await findTarget(record.store, id, moment));
const undo = async (record: RepoRecord) =>
  rewind(record, await planRewind(record, await undoTarget(record)));
const kinds = (plan: RewindPlan) => plan.changes.map(({ kind, path }) => `${kind} ${path}`);
const left = (plan: RewindPlan) => plan.left.map(({ path, why }) => `${path}: ${why}`);

describe("a submodule", () => {
  async function withModule() {
    const inner = new Project();
    inner.write("lib.ts", "export const lib = 1;\n");
    inner.commit("Library");
    const project = new Project();
    const add = (name: string) =>
      project.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", inner.root, name);
    add("sub");
    project.commit("Submodule");
    return { project, add, record: await recordOf(project.root) };
  }

  test("keeps its files, its commit and its index, whatever happened in it", async () => {
    const { project, record } = await withModule();
    const sub = join(project.root, "sub");
    const id = await turn(record, () => {
      project.write("sub/lib.ts", "export const lib = 2;\n");
      project.in(sub, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qam", "2");
      project.write("sub/lib.ts", "export const lib = 3;\n");
      project.in(sub, "add", "lib.ts");
      project.write("sub/untracked.ts", "export {};\n");
      project.write("a.ts", "export const a = 1;\n");
    });
    const head = project.in(sub, "rev-parse", "HEAD");
    const status = project.in(sub, "status", "--porcelain");
    const plan = await planTo(record, id);
    expect(kinds(plan)).toEqual(["deleted a.ts"]);
    expect(left(plan)).toEqual(["sub: repository"]);
    await rewind(record, plan);
    expect(project.in(sub, "rev-parse", "HEAD")).toBe(head);
    expect(project.in(sub, "status", "--porcelain")).toBe(status);
    expect(text(project, "sub/lib.ts")).toBe("export const lib = 3;\n");
    await undo(record);
    expect(project.in(sub, "status", "--porcelain")).toBe(status);
  });

  test("that came with the turn stays, and one that went is not brought back", async () => {
    const { project, add, record } = await withModule();
    const came = await turn(record, () => add("more"));
    const plan = await planTo(record, came);
    expect(left(plan)).toEqual(["more: repository"]);
    await rewind(record, plan);
    expect(text(project, "more/lib.ts")).toBe("export const lib = 1;\n");
    await undo(record);
    const went = await turn(record, () => project.git("rm", "-qf", "sub"));
    const back = await planTo(record, went);
    expect(left(back)).toEqual(["sub: repository"]);
    await rewind(record, back);
    expect(existsSync(join(project.root, "sub/lib.ts"))).toBe(false);
  });
});

describe("what a person changed after the turn", () => {
  test("is shown before it goes, saved, and had back", async () => {
    const project = new Project();
    project.write("a.txt", "one\n");
    project.write("mine.txt", "mine\n");
    project.commit("Two files");
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "by the agent\n"));
    project.write("a.txt", "by the agent, then by me\n");
    project.write("mine.txt", "mine, changed\n");
    project.write("new.txt", "mine, new\n");
    project.git("add", "mine.txt");
    const plan = await planTo(record, id);
    expect(kinds(plan)).toEqual(["changed a.txt", "changed mine.txt", "deleted new.txt"]);
    const { ref = "" } = await rewind(record, plan);
    expect(text(project, "a.txt")).toBe("one\n");
    expect(project.git("show", `${ref}:a.txt`)).toBe("by the agent, then by me");
    expect(project.git("show", `${ref}:mine.txt`)).toBe("mine, changed");
    expect(project.git("show", `${ref}:new.txt`)).toBe("mine, new");
    project.git("gc", "-q", "--prune=now");
    await undo(record);
    expect(text(project, "a.txt")).toBe("by the agent, then by me\n");
    expect(text(project, "mine.txt")).toBe("mine, changed\n");
    expect(text(project, "new.txt")).toBe("mine, new\n");
  });

  test("is not lost with what git ignores, where a folder and a file change places", async () => {
    const project = new Project();
    project.write(".gitignore", "*.log\n");
    project.write("file", "a file\n");
    project.write("folder/inner.txt", "inner\n");
    project.commit("Both kinds");
    const record = await recordOf(project.root);
    const id = await turn(record, () => {
      rmSync(join(project.root, "file"));
      project.write("file/new.txt", "new\n");
      rmSync(join(project.root, "folder"), { recursive: true });
      project.write("folder", "now a file\n");
    });
    const plan = await planTo(record, id);
    expect(kinds(plan)).toEqual([
      "added file",
      "deleted file/new.txt",
      "deleted folder",
      "added folder/inner.txt",
    ]);
    expect(left(plan)).toEqual([]);
    await rewind(record, plan);
    expect([text(project, "file"), text(project, "folder/inner.txt")]).toEqual([
      "a file\n",
      "inner\n",
    ]);
    await undo(record);
    expect([text(project, "file/new.txt"), text(project, "folder")]).toEqual([
      "new\n",
      "now a file\n",
    ]);
    project.write("file/precious.log", "precious\n");
    const careful = await planTo(record, id);
    expect(left(careful)).toEqual(["file: in the way"]);
    await rewind(record, careful);
    expect(text(project, "file/precious.log")).toBe("precious\n");
  });
});

describe("a state that cannot be saved", () => {
  const full = () => {
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  };
  const real: RewindIO = { ...applyIO, save: saveState, journal: writeJournal };

  test.each([
    ["because its commit cannot be written", { ...real, save: async () => full() }],
    ["because what is to be done cannot be written down", { ...real, journal: full }],
  ])("is not changed, %s", async (_, io) => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "by the agent\n"));
    await expect(rewind(record, await planTo(record, id), io)).rejects.toThrow(/ENOSPC/);
    expect(text(project, "a.txt")).toBe("by the agent\n");
    expect(readJournal(record.repo)).toBeUndefined();
    await rewind(record, await planTo(record, id));
    expect(existsSync(join(project.root, "a.txt"))).toBe(false);
  });

  test("is not changed, because no name is left for it", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "by the agent\n"));
    const io: RewindIO = {
      ...real,
      save: (batch, tree, about) => {
        batch.publish = async () => ({ ok: false, actual: tree });
        return saveState(batch, tree, about);
      },
    };
    await expect(rewind(record, await planTo(record, id), io)).rejects.toMatchObject({
      code: "SEAM_RECORD_BUSY",
    });
    expect(text(project, "a.txt")).toBe("by the agent\n");
  });

  test("is not changed on a disk that is really full", async ({ skip }) => {
    const disk = smallDisk("size=4m");
    if (disk === undefined) return skip("no disk of its own can be made here");
    const project = new Project({ empty: true });
    rmSync(join(project.root, ".git"), { recursive: true });
    project.git("init", "-q", "-b", "main", `--separate-git-dir=${disk}/repository`);
    project.git("config", "user.name", "Test User");
    project.git("config", "user.email", "test@example.com");
    project.write("a.txt", "one\n");
    project.commit("One");
    const record = await recordOf(project.root);
    const id = await turn(record, () => project.write("a.txt", "by the agent\n"));
    const mine = randomBytes(300_000).toString("hex");
    project.write("mine.txt", mine);
    const filler = join(disk, "filler");
    const fill = () => {
      for (const size of [65_536, 4_096]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size));
        } catch {
          // Full.
        }
      }
    };
    fill();
    await expect(planTo(record, id)).rejects.toThrow();
    writeFileSync(filler, "");
    const plan = await planTo(record, id);
    fill();
    await expect(rewind(record, plan)).rejects.toThrow();
    expect(text(project, "a.txt")).toBe("by the agent\n");
    expect(text(project, "mine.txt")).toBe(mine);
    rmSync(filler);
    const again = await recordOf(project.root);
    await rewind(again, await planTo(again, id));
    expect(text(project, "a.txt")).toBe("one\n");
    await undo(again);
    expect(text(project, "mine.txt")).toBe(mine);
    expect(project.isSound()).toBe(true);
  });
});
