import { lstatSync, readdirSync, type Stats } from "node:fs";
import { atRepo, git, type RawPath, rawPath, shownPath, workPath } from "../../git/index.ts";
import type { HookRecord } from "../recorder.ts";
import type { RecordingContext } from "../recording-context.ts";
import { TICK_MS, tellsOfRun } from "../session/runs.ts";
import type { Gone, SessionState } from "../session/state.ts";

/** A folder as it was when a turn began. */
interface Folder {
  /** One character for each byte; "" for the work tree itself. */
  readonly path: string;
  readonly files: readonly RawPath[];
  /** Its last change that a look has seen; unknown if it may have been changed since unseen. */
  seen?: number | undefined;
}

/** Where there are more, nobody looks: it would cost more than it tells. */
const MOST_FOLDERS = 5_000;
const MOST_FILES = 50_000;
/** At most this many files that are gone are kept for one turn. */
const MOST_GONE = 1_000;

interface Looked {
  readonly tree: string;
  readonly folders: readonly Folder[] | undefined;
}

/**
 * Of each record and session, the folders of the turn whose commands were looked after last. What one
 * session has seen of a folder, another one that works beside it still has to note for itself.
 */
const looked = new WeakMap<RecordingContext["record"], Map<string, Looked>>();
const MOST_SESSIONS = 8;

/**
 * Notes which files have gone, whenever a command begins or ends: a file that is gone has no time of
 * its own, and this way it is known between which two looks it went. Folders that did not change since
 * the last look are not read again.
 */
export async function withGoneFiles(
  { record, log }: RecordingContext,
  state: SessionState,
  hook: HookRecord,
): Promise<SessionState> {
  const { workTree } = record.repo;
  const { turn_start_tree: tree } = state;
  if (workTree === undefined || tree === undefined || !tellsOfRun(hook)) return state;
  const now = new Date();
  try {
    const folders = await foldersOf(record, state, tree);
    if (!folders) return state;
    const gone = { ...state.turn_gone };
    const from = state.turn_looked_at ?? state.turn_started_at ?? now.toISOString();
    for (const folder of folders) lookAt(workTree, folder, { gone, from, now });
    const { turn_gone: _, ...rest } = state;
    const kept = Object.entries(gone).slice(0, MOST_GONE);
    return {
      ...rest,
      turn_looked_at: now.toISOString(),
      ...(kept.length > 0 && { turn_gone: Object.fromEntries(kept) }),
    };
  } catch (error) {
    log("info", `Which files were gone in turn ${state.turn_id} is not known`, error);
    return state;
  }
}

async function foldersOf(
  record: RecordingContext["record"],
  { agent, session_id }: SessionState,
  tree: string,
) {
  const sessions = looked.get(record) ?? new Map<string, Looked>();
  looked.set(record, sessions);
  const key = `${agent} ${session_id}`;
  const known = sessions.get(key);
  const now = known?.tree === tree ? known : { tree, folders: await listFolders(record, tree) };
  sessions.delete(key);
  sessions.set(key, now);
  for (const oldest of [...sessions.keys()].slice(0, -MOST_SESSIONS)) sessions.delete(oldest);
  return now.folders;
}

/** Undefined if there are too many. Git lists them in one go, faster than their trees are read. */
async function listFolders(
  { repo }: RecordingContext["record"],
  tree: string,
): Promise<Folder[] | undefined> {
  const args = [...atRepo(repo), "ls-tree", "-r", "-z", "--full-tree", tree];
  const listed = await git(args, { cwd: repo.gitDir });
  const byPath = new Map<string, RawPath[]>();
  const files = listed.toString("latin1").split("\0").filter(isFile).map(pathIn);
  if (files.length > MOST_FILES) return undefined;
  for (const path of files) {
    const folder = folderOf(path);
    const inside = byPath.get(folder) ?? [];
    inside.push(path);
    byPath.set(folder, inside);
  }
  if (byPath.size > MOST_FOLDERS) return undefined;
  return [...byPath].map(([path, inside]) => ({ path, files: inside }));
}

/** A line is `<mode> <type> <id>\t<path>`; a submodule is a repository of its own. */
const isFile = (line: string) => line !== "" && !line.startsWith("160000 ");
const pathIn = (line: string) => rawPath(Buffer.from(line.slice(line.indexOf("\t") + 1), "latin1"));

interface Look {
  /** Gets what is gone, and loses what came back. */
  readonly gone: Record<string, Gone>;
  /** When everything was still there that is not known to be gone. */
  readonly from: string;
  readonly now: Date;
}

function lookAt(workTree: string, folder: Folder, { gone, from, now }: Look): void {
  const stats = folderStats(workTree, folder.path);
  if (stats && stats.ctimeMs === folder.seen) return;
  const there = new Set(stats ? readdirSync(placeOf(workTree, folder.path), "latin1") : []);
  const to = stats ?? nearestAbove(workTree, folder.path) ?? { ctime: now };
  const isAnyGone = Object.keys(gone).length > 0;
  for (const path of folder.files) {
    // Some file systems spell a name otherwise than git.
    const isThere = there.has(nameOf(path)) || exists(workTree, path);
    if (!isThere) gone[shownPath(path)] ??= { from, to: to.ctime.toISOString() };
    else if (isAnyGone) delete gone[shownPath(path)];
  }
  folder.seen = stats && stats.ctimeMs < now.getTime() - TICK_MS ? stats.ctimeMs : undefined;
}

function exists(workTree: string, path: RawPath): boolean {
  return lstatSync(workPath(workTree, path), { throwIfNoEntry: false }) !== undefined;
}

/** Of the folder above that is still there. */
function nearestAbove(workTree: string, folder: string): Stats | undefined {
  if (folder === "") return undefined;
  const above = folderOf(folder);
  return folderStats(workTree, above) ?? nearestAbove(workTree, above);
}

/** Undefined if it is not there, or is no folder any more. */
function folderStats(workTree: string, folder: string): Stats | undefined {
  const stats = lstatSync(placeOf(workTree, folder), { throwIfNoEntry: false });
  return stats?.isDirectory() ? stats : undefined;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Bytes, because names of folders are in no encoding. */
function placeOf(workTree: string, folder: string): Buffer {
  return Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(folder, "latin1")]);
}
