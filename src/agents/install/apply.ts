import { statSync } from "node:fs";
import { dirname } from "node:path";
import { inWords, SeamError } from "../../errors/index.ts";
import { readBytes } from "./config-file.ts";
import { type FileOps, obstacle } from "./file-ops.ts";
import { dropRecord, type InstallRecord, recordOf, saveRecord } from "./install-record.ts";

/** One file, what becomes of it, and what is to be remembered about it. */
export interface Step {
  /** Where the agent looks for it. */
  readonly name: string;
  /** The file itself, behind all links. */
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  /** Undefined: nothing of Seam's is left there. */
  readonly record: InstallRecord | undefined;
}

type Undo = () => void;

/**
 * Does all steps or none. What is remembered is written before the file is, and forgotten after:
 * whenever the process is killed, the files are whole and what is remembered is enough to go on.
 */
export function applySteps(steps: readonly Step[], store: string, ops: FileOps): void {
  for (const { path, name, before, after } of steps) {
    const detail = same(before, after) ? undefined : obstacle(path);
    if (detail) throw unwritable(name, detail);
  }
  const undo: Undo[] = [];
  for (const step of steps) {
    try {
      if (step.record) putIn(step, step.record, store, ops, undo);
      else takeOut(step, store, ops, undo);
    } catch (thrown) {
      for (const back of undo.reverse()) attempt(back);
      throw thrown instanceof SeamError ? thrown : unwritable(step.name, inWords(thrown));
    }
  }
}

function putIn(step: Step, record: InstallRecord, store: string, ops: FileOps, undo: Undo[]): void {
  const known = recordOf(store, step.path);
  const folders = [...record.folders, ...missingFolders(step.path)];
  saveRecord(
    store,
    { ...record, folders, results: [...(known?.results ?? []), ...record.results] },
    ops,
  );
  undo.push(() => (known ? saveRecord(store, known, ops) : dropRecord(store, step.path, ops)));
  for (const folder of missingFolders(step.path)) {
    ops.makeFolder(folder);
    undo.push(() => ops.removeFolder(folder));
  }
  write(step, ops, undo);
  saveRecord(store, { ...record, folders }, ops);
}

function takeOut(step: Step, store: string, ops: FileOps, undo: Undo[]): void {
  const known = recordOf(store, step.path);
  write(step, ops, undo);
  if (!known) return;
  if (step.after === undefined) {
    for (const folder of [...known.folders].reverse()) {
      // The folder stays, because somebody else put something there.
      if (attempt(() => ops.removeFolder(folder))) undo.push(() => ops.makeFolder(folder));
    }
  }
  dropRecord(store, step.path, ops);
  undo.push(() => saveRecord(store, known, ops));
}

function write({ name, path, before, after }: Step, ops: FileOps, undo: Undo[]): void {
  if (same(before, after)) return;
  if (!same(readBytes(path), before)) throw unwritable(name, "somebody else just changed it");
  put(path, after, ops);
  undo.push(() => {
    if (same(readBytes(path), after)) put(path, before, ops);
  });
}

function put(path: string, bytes: Buffer | undefined, ops: FileOps): void {
  if (bytes === undefined) ops.remove(path);
  else ops.replace(path, bytes);
}

/** Outermost first. */
function missingFolders(path: string): string[] {
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })) return [];
  return [...missingFolders(folder), folder];
}

function same(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function unwritable(path: string, detail: string): SeamError {
  const hint = detail.startsWith("somebody")
    ? "Nothing was changed. Run the command again."
    : "Nothing was changed. Make it writable for you, or choose another --level.";
  return new SeamError("SEAM_AGENT_FILE", { path, detail, hint });
}
