import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { git } from "../../git/index.ts";
import { recordOf, turn } from "../history/test-kit.ts";
import type { RepoRecord } from "../repo-record.ts";
import { Project } from "../test-kit/project.ts";
import { applyIO } from "./apply.ts";
import { readJournal, writeJournal } from "./journal.ts";
import { planRewind } from "./plan.ts";
import { brokenOff, completeRewind, type RewindIO, rewind, undoTarget } from "./rewind.ts";
import { saveState } from "./saved-state.ts";
import { findTarget } from "./target.ts";

class Killed extends Error {}

/** Ends after so many steps, in the middle of writing files too, and does nothing more. */
function dying(after: number): RewindIO & { readonly steps: () => number } {
  let steps = 0;
  const step = () => {
    if (steps >= after) throw new Killed("killed");
    steps++;
  };
  return {
    steps: () => steps,
    save: async (...args) => {
      step();
      return saveState(...args);
    },
    journal: (...args) => {
      step();
      writeJournal(...args);
    },
    remove: (path) => {
      step();
      applyIO.remove(path);
    },
    removeFolder: (path) => {
      step();
      applyIO.removeFolder(path);
    },
    write: async (repo, files) => {
      for (const file of files) {
        step();
        await applyIO.write(repo, [file]);
      }
    },
  };
}

interface Scene {
  readonly project: Project;
  readonly record: RepoRecord;
  readonly id: string;
  readonly before: Map<string, string>;
  readonly after: Map<string, string>;
}

async function scene(): Promise<Scene> {
  const project = new Project();
  project.write(".gitattributes", "* -text\n");
  for (const name of ["a", "b", "c/d", "c/e"]) project.write(name, `${name} one\n`);
  project.commit("Files");
  const record = await recordOf(project.root);
  const before = filesOf(project.root);
  const id = await turn(record, () => {
    project.write(".gitattributes", "* text\n");
    project.write("a", "a two\n");
    rmSync(join(project.root, "b"));
    rmSync(join(project.root, "c"), { recursive: true });
    project.write("c", "now a file\n");
    project.write("new/x", "x\n");
    project.write("new/y", "y\n");
  });
  return { project, record, id, before, after: filesOf(project.root) };
}

function filesOf(root: string): Map<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => !/^\.git(\/|$)/.test(name));
  return new Map(
    files
      .sort()
      .map((name) => [
        name,
        statSync(join(root, name)).isDirectory() ? "/" : readFileSync(join(root, name), "utf8"),
      ]),
  );
}

/** Every number of steps after which a rewind can die. */
async function eachDeath(check: (scene: Scene, isStarted: boolean) => Promise<void>) {
  for (let steps = 0; ; steps++) {
    const one = await scene();
    const plan = await planRewind(one.record, await findTarget(one.record.store, one.id));
    const io = dying(steps);
    try {
      await rewind(one.record, plan, io);
      // save, journal, 2 files and 1 folder go, 5 files are written, journal
      expect(io.steps()).toBe(steps);
      return steps;
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      expect(cause).toBeInstanceOf(Killed);
    }
    await check(one, brokenOff(one.record) !== undefined);
    expect(one.project.isSound()).toBe(true);
  }
}

describe("a rewind that is killed at any step", () => {
  test("is completed by the next one", { timeout: 120_000 }, async () => {
    let completed = 0;
    const steps = await eachDeath(async ({ record, project, before, after }, isStarted) => {
      const journal = brokenOff(record);
      if (!isStarted || !journal) return expect(filesOf(project.root)).toEqual(after);
      await completeRewind(record, journal);
      completed++;
      expect(filesOf(project.root)).toEqual(before);
      expect(brokenOff(record)).toBeUndefined();
      // And it can still be undone.
      await rewind(record, await planRewind(record, await undoTarget(record)));
      expect(filesOf(project.root)).toEqual(after);
    });
    expect(steps).toBeGreaterThan(8);
    expect(completed).toBe((steps ?? 0) - 2);
  });

  inFull("can be undone at once", { timeout: 120_000 }, async () => {
    await eachDeath(async ({ record, project, after }, isStarted) => {
      if (isStarted) await rewind(record, await planRewind(record, await undoTarget(record)));
      expect(filesOf(project.root)).toEqual(after);
      expect(brokenOff(record)).toBeUndefined();
    });
  });

  test("survives a clean-up of unused objects in between", async () => {
    const { project, record, id, before } = await scene();
    const plan = await planRewind(record, await findTarget(record.store, id));
    await expect(rewind(record, plan, dying(4))).rejects.toThrow(/could not be completed: killed/);
    project.git("gc", "-q", "--prune=now");
    const again = await recordOf(project.root);
    const journal = brokenOff(again);
    if (journal) await completeRewind(again, journal);
    expect(filesOf(project.root)).toEqual(before);
  });

  test("keeps what was written by hand in between", async () => {
    const { project, record, id } = await scene();
    const plan = await planRewind(record, await findTarget(record.store, id));
    await expect(rewind(record, plan, dying(4))).rejects.toThrow();
    project.write("a", "by hand\n");
    const journal = brokenOff(record);
    const { ref = "" } = journal ? await completeRewind(record, journal) : {};
    expect(project.git("show", `${ref}:a`)).toBe("by hand");
  });
});

describe("the journal of a rewind", () => {
  test("that is damaged or someone else's counts as none", async () => {
    const project = new Project();
    const record = await recordOf(project.root);
    const file = join(project.root, ".git/seam/rewind.json");
    for (const text of ["", "{", "null", "[]", '{"version":2}', '{"version":1,"state":"done"}']) {
      project.write(".git/seam/rewind.json", text);
      expect(readJournal(record.repo), text).toBeUndefined();
    }
    rmSync(file);
    expect(readJournal(record.repo)).toBeUndefined();
  });

  test("is not needed for an undo: the saved states are found without it", async () => {
    const { project, record, id, after } = await scene();
    await rewind(record, await planRewind(record, await findTarget(record.store, id)));
    rmSync(join(project.root, ".git/seam"), { recursive: true });
    project.git("update-ref", "refs/seam/rewind/zzz", "HEAD");
    writeFileSync(join(project.root, ".git/refs/seam/rewind/zzzz"), "not an id\n");
    await rewind(record, await planRewind(record, await undoTarget(record)));
    expect(filesOf(project.root)).toEqual(after);
  });
});

describe("a work tree that cannot be written", () => {
  test("leaves a rewind broken off, with the state before saved", async () => {
    const { project, record, id, before } = await scene();
    const failing: RewindIO = {
      ...applyIO,
      save: saveState,
      journal: writeJournal,
      write: () => git(["no-such-command"], { cwd: project.root }).then(() => {}),
    };
    const plan = await planRewind(record, await findTarget(record.store, id));
    await expect(rewind(record, plan, failing)).rejects.toMatchObject({
      code: "SEAM_REWIND_BROKEN_OFF",
    });
    const journal = brokenOff(record);
    expect(journal).toBeDefined();
    if (journal) await completeRewind(record, journal);
    expect(filesOf(project.root)).toEqual(before);
  });

  test.skipIf(process.getuid?.() === 0)(
    "is left as it is when nothing can be deleted",
    async () => {
      const { project, record, id, before } = await scene();
      chmodSync(join(project.root, "new"), 0o555);
      const plan = await planRewind(record, await findTarget(record.store, id));
      await expect(rewind(record, plan)).rejects.toThrow(/could not be completed/);
      chmodSync(join(project.root, "new"), 0o755);
      const journal = brokenOff(record);
      if (journal) await completeRewind(record, journal);
      expect(filesOf(project.root)).toEqual(before);
      expect(existsSync(join(project.root, "new"))).toBe(false);
    },
  );
});
