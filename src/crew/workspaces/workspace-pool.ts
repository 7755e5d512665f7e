import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SeamError } from "../../errors/index.ts";
import type { FileLock } from "../../files/index.ts";
import { openRepo, type Repo, readRef, withoutOneCommand } from "../../git/index.ts";
import { commitOf } from "../history/commits.ts";
import { mergeBases } from "../history/merge-bases.ts";
import { checkOut, detachHead, isAt, standOn } from "./fill-slot.ts";
import { copyIncluded } from "./included-files.ts";
import { keepAside, type SavedWork, savedAs, saveWork } from "./save-work.ts";
import { runSetup, type Setup, setupKey } from "./setup.ts";
import type { SlotTree } from "./slot-git.ts";
import { type SlotRow, SlotRows, type Taken } from "./slot-rows.ts";
import { ensureTree, holdsFiles, removeAdmin, seenFrom, sharedBy } from "./slot-tree.ts";
import { moveFoundAside, slotsFolder } from "./slots-folder.ts";
import { sparseEnvironment, writeSparse } from "./sparse.ts";
import { MOST_SLOTS, slotEnvironment, type Workspace } from "./workspace.ts";

export interface PoolOptions {
  /** Any folder of the repository; `.worktreeinclude` is read in this checkout. */
  readonly repository: string;
  /** Seam's home: what is kept of slots is in `crew/slots` in it. */
  readonly home: string;
  /** Where worktrees are; without it, beside Seam's home. */
  readonly folder?: string | undefined;
  readonly setup?: Setup | undefined;
}

export interface TakeRequest {
  readonly run: string;
  readonly task: string;
  /** Absent: the workspace only looks at a commit, and nothing in it is saved. */
  readonly branch?: string | undefined;
  /** One commit, or several whose work comes together in it. */
  readonly base: string | readonly string[];
  /** Folders to check out; absent: all. */
  readonly sparse?: readonly string[] | undefined;
  /** Ends the setup command. */
  readonly signal?: AbortSignal | undefined;
}

/** What was done about a slot that nobody works in any more. */
export interface Reconciled {
  readonly slot: number;
  readonly run: string;
  readonly task: string;
  /** Absent: nobody had worked in it yet. */
  readonly saved?: SavedWork;
  /** Why it could not be saved. It is left as it is. */
  readonly error?: unknown;
}

/** How often to look whether somebody else has finished with a slot. */
const LOOK_MS = 50;

/**
 * Worktrees of one repository that are used again and again. A task that has one keeps it until it
 * is released, also over a restart: to take it again is to get the same one, as it was left. What is
 * known of a slot is written down before anything is done to its worktree, so that whoever is killed
 * in between leaves nothing that the next one could not understand.
 */
export class WorkspacePool {
  readonly #options: PoolOptions;
  readonly #rows: SlotRows;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#rows = new SlotRows(join(options.home, "crew/slots"));
  }

  async take(request: TakeRequest): Promise<Workspace> {
    const repo = await this.#repo();
    const { row, lock } = (await this.#mine(repo, request)) ?? (await this.#free(repo, request));
    try {
      return await this.#prepare(repo, row, request.signal);
    } catch (error) {
      this.#giveUp(row);
      throw error;
    } finally {
      lock.release();
    }
  }

  /**
   * Saves what is in a workspace and gives it back. What git ignores stays in it for the next task;
   * files that were not saved are copied aside first. `savedAs`: the commit that has all of it, where
   * nobody was in the workspace since it was saved.
   */
  async release(workspace: Workspace, savedAs?: string): Promise<SavedWork | undefined> {
    const row = this.#rows.get(workspace.slot);
    const { run, task } = workspace;
    if (row?.taken?.run !== run || row.taken.task !== task) return undefined;
    const lock = await this.#waitFor(row.slot);
    try {
      return await this.#release(workspace, row, savedAs);
    } finally {
      lock.release();
    }
  }

  /**
   * Brings slots in order after this or another process was ended at any moment: those of tasks that
   * nobody wants any more are saved and given back. Slots that somebody is at work on are left.
   */
  async reconcile(
    isWanted: (run: string, task: string) => boolean = () => true,
  ): Promise<Reconciled[]> {
    const repo = await this.#repo();
    const folder = slotsFolder(repo, this.#options);
    for (const slot of this.#rows.damaged()) {
      const path = join(folder, String(slot));
      if (!existsSync(path)) continue;
      this.#rows.put({ slot, repository: repo.commonDir, path, isNew: true });
    }
    const done: Reconciled[] = [];
    for (const { slot } of this.#ofRepository(repo)) {
      const lock = this.#rows.lock(slot);
      if (!lock) continue;
      try {
        const row = this.#rows.get(slot);
        if (row?.taken) done.push(...(await this.#settle(repo, row, row.taken, isWanted)));
      } finally {
        lock.release();
      }
    }
    return done;
  }

  /** How many worktrees of this repository wait for the next task. */
  async spare(): Promise<number> {
    return this.#ofRepository(await this.#repo()).filter(({ taken }) => !taken).length;
  }

  /** Deletes worktrees that nobody has, but for some that are kept warm. Returns how many. */
  async trim(keep = 0): Promise<number> {
    const repo = await this.#repo();
    const free = this.#ofRepository(repo).filter(({ taken }) => !taken);
    let removed = 0;
    for (const { slot } of free.slice(keep)) {
      const lock = this.#rows.lock(slot);
      if (!lock) continue;
      try {
        const row = this.#rows.get(slot);
        if (!row || row.taken) continue;
        rmSync(row.path, { recursive: true, force: true });
        if (row.gitDir !== undefined) removeAdmin(repo, row.gitDir);
        this.#rows.remove(slot);
        removed++;
      } finally {
        lock.release();
      }
    }
    return removed;
  }

  async #repo(): Promise<Repo> {
    const { repository } = this.#options;
    const repo = await openRepo(repository);
    if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: repository });
    return repo;
  }

  #ofRepository({ commonDir }: Repo): SlotRow[] {
    return this.#rows.all().filter(({ repository }) => repository === commonDir);
  }

  async #mine(repo: Repo, { run, task }: TakeRequest) {
    const isMine = (row: SlotRow | undefined) => row?.taken?.run === run && row.taken.task === task;
    const mine = this.#ofRepository(repo).find(isMine);
    if (!mine) return undefined;
    const lock = await this.#waitFor(mine.slot);
    const row = this.#rows.get(mine.slot);
    if (row && isMine(row)) return { row, lock };
    lock.release();
    return undefined;
  }

  async #free(repo: Repo, request: TakeRequest): Promise<{ row: SlotRow; lock: FileLock }> {
    const taken = await takenBy(repo, request);
    for (const { slot } of this.#ofRepository(repo).filter((row) => !row.taken)) {
      const lock = this.#rows.lock(slot);
      if (!lock) continue;
      const row = this.#rows.get(slot);
      if (row && !row.taken) {
        this.#rows.put({ ...row, taken });
        return { row: { ...row, taken }, lock };
      }
      lock.release();
    }
    const folder = slotsFolder(repo, this.#options);
    const row = this.#rows.claim((slot) => ({
      slot,
      repository: repo.commonDir,
      path: join(folder, String(slot)),
      isNew: true,
      taken,
    }));
    if (!row) throw new SeamError("SEAM_CREW_SLOTS_FULL", { most: MOST_SLOTS });
    return { row, lock: await this.#waitFor(row.slot) };
  }

  async #waitFor(slot: number): Promise<FileLock> {
    for (;;) {
      const lock = this.#rows.lock(slot);
      if (lock) return lock;
      await pause(LOOK_MS);
    }
  }

  async #prepare(repo: Repo, row: SlotRow, signal: AbortSignal | undefined): Promise<Workspace> {
    const { taken, path } = row;
    if (!taken) throw new SeamError("SEAM_CREW_SLOT", { path, detail: "nobody has taken it" });
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    const { branch, base, sparse } = taken;
    const tip = branch === undefined ? undefined : await readRef(repo, `refs/heads/${branch}`);
    const start = tip ?? base;
    // Nothing was known of this slot: what is in the folder is somebody's work.
    if (row.isNew && moveFoundAside(repo, path, note)) this.#rows.put(withoutMark(row));
    const isAsLeft = taken.isReady && holdsFiles(path);
    const gitDir = await ensureTree(repo, path, row.gitDir, start, note);
    const tree: SlotTree = { repo: seenFrom(repo, gitDir, path), path, sparse };
    const workspace = workspaceOf(row, taken, tree, notes);
    if (isAsLeft) return workspace;
    const { setup, sparse: before, isNew: _, commit: left, ...rest } = row;
    const isThere = left === start && String(before) === String(sparse) && (await isAt(tree, left));
    if (!isThere) writeSparse(tree, before);
    const hasLost = !isThere && (await checkOut(tree, start, branch));
    if (branch !== undefined) await standOn(tree, branch, start, note);
    await copyIncluded(repo, tree, note);
    const now = { ...rest, gitDir, ...(sparse !== undefined && { sparse }) };
    const known = { ...now, ...(setup !== undefined && !hasLost && { setup }) };
    const key = await this.#setUp(workspace, tree, known, signal);
    const isReady = true;
    this.#rows.put({
      ...now,
      ...(key !== undefined && { setup: key }),
      taken: { ...taken, isReady },
    });
    return workspace;
  }

  /** Runs the setup command where it was not run for the same lock files before. */
  async #setUp(
    { env, slot }: Workspace,
    tree: SlotTree,
    row: SlotRow,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const { setup, home } = this.#options;
    if (!setup) return undefined;
    const key = await setupKey(tree, setup);
    if (row.setup === key) return key;
    const { setup: _, ...before } = row;
    // Whoever is killed while it runs leaves packages that fit nothing.
    this.#rows.put(before);
    const file = join(home, "crew/slots", `${slot}.setup.log`);
    await runSetup(tree, setup, {
      env: { ...withoutOneCommand(process.env), ...env },
      file,
      signal,
    });
    return key;
  }

  async #release(
    workspace: Workspace,
    row: SlotRow,
    told?: string,
  ): Promise<SavedWork | undefined> {
    const { branch, run, task, path, base } = workspace;
    // Mostly it was saved when its agent ended, and nobody was in it since.
    const known = told ?? (await savedAs(workspace));
    if (known !== undefined) {
      await this.#letGo(workspace, known);
      const { taken: _, ...free } = row;
      this.#rows.put({ ...free, commit: known });
      return undefined;
    }
    const saved = branch === undefined ? undefined : await saveWork(workspace, `Work of ${task}`);
    const aside = keepAside(path, saved?.leftOut ?? [], `${path}.left/${run}/${task}`);
    await this.#letGo(workspace, saved?.commit ?? base);
    const { taken: _, ...free } = row;
    this.#rows.put(free);
    if (!saved || aside === undefined) return saved;
    return { ...saved, notes: [...saved.notes, `Files that were not saved are in ${aside}.`] };
  }

  async #letGo({ repo, path }: Workspace, commit: string): Promise<void> {
    const shared = sharedBy(repo);
    const gitDir = await ensureTree(shared, path, repo.gitDir, commit, () => {});
    await detachHead(seenFrom(shared, gitDir, path), commit);
  }

  /** Nobody has worked in a slot that did not become ready: it is free for the next one. */
  #giveUp(row: SlotRow): void {
    try {
      const now = this.#rows.get(row.slot);
      if (!now?.taken || now.taken.isReady) return;
      const { taken: _, ...free } = now;
      this.#rows.put(free);
    } catch {
      // A full disk, for instance. `reconcile` finds it.
    }
  }

  async #settle(
    repo: Repo,
    row: SlotRow,
    taken: Taken,
    isWanted: (run: string, task: string) => boolean,
  ): Promise<Reconciled[]> {
    const { slot, path, gitDir } = row;
    const { run, task } = taken;
    if (!taken.isReady) {
      this.#giveUp(row);
      return [{ slot, run, task }];
    }
    if (isWanted(run, task) || gitDir === undefined) return [];
    const tree = { repo: seenFrom(repo, gitDir, path), path, sparse: taken.sparse };
    try {
      const saved = await this.#release(workspaceOf(row, taken, tree, []), row);
      return [{ slot, run, task, ...(saved && { saved }) }];
    } catch (error) {
      return [{ slot, run, task, error }];
    }
  }
}

function withoutMark({ isNew: _, ...row }: SlotRow): SlotRow {
  return row;
}

async function takenBy(repo: Repo, request: TakeRequest): Promise<Taken> {
  const { run, task, branch, sparse, base: asked } = request;
  const names = typeof asked === "string" ? [asked] : asked;
  const commits: string[] = [];
  for (const name of names) commits.push(await commitOf(repo, name));
  return {
    run,
    task,
    base: await mergeBases(repo, commits),
    isReady: false,
    at: new Date().toISOString(),
    ...(branch !== undefined && { branch }),
    ...(sparse !== undefined && { sparse: [...sparse] }),
  };
}

function workspaceOf(
  { slot, path }: SlotRow,
  { run, task, branch, base, sparse }: Taken,
  { repo }: SlotTree,
  notes: readonly string[],
): Workspace {
  return {
    slot,
    path,
    run,
    task,
    base,
    repo,
    env: { ...slotEnvironment(slot), ...sparseEnvironment(sparse, process.env) },
    notes,
    ...(branch !== undefined && { branch }),
    ...(sparse !== undefined && { sparse }),
  };
}
