import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allRecords, type Level } from "../agents/index.ts";
import { criticalIn } from "../extensions/index.ts";
import {
  isRunning,
  LARGE_FILE,
  pidIn,
  readRegular,
  readText,
  replaceFile,
} from "../files/index.ts";

/** Where Seam put hooks. */
export interface KnownHooks {
  /** The file itself, behind all links. */
  readonly path: string;
  /** Where the agent looks for it. */
  readonly name: string;
  readonly agent: string;
  readonly level: Level;
  /** The project, or the user's home folder. */
  readonly root: string;
}

/** How Seam's files were when Seam itself last touched them. */
export interface KnownState {
  /** Hashes by path; null: there was no such file. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly hooks: readonly KnownHooks[];
}

const knownFile = (store: string) => join(store, "run", "known.json");
const changingFile = (store: string) => join(store, "run", "changing");

/** The user's own files that say what may run and how strict Seam is. */
export function ownFiles(store: string): string[] {
  return ["settings.json", "trust.json", "rules.json"].map((name) => join(store, name));
}

const extensionsOf = (store: string) => join(store, "extensions");

/** Files whose times tell whether any of this may have changed. */
export function stateFiles(store: string): string[] {
  return [...ownFiles(store), knownFile(store), join(store, "installs"), extensionsOf(store)];
}

export function readKnown(store: string): KnownState | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(knownFile(store), "utf8"));
    return isKnown(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKnown(value: unknown): value is KnownState {
  if (typeof value !== "object" || value === null) return false;
  const { files, hooks } = value as Partial<Record<keyof KnownState, unknown>>;
  return typeof files === "object" && files !== null && Array.isArray(hooks);
}

/** All hooks that Seam wrote and did not take out again. */
export function writtenHooks(store: string): KnownHooks[] {
  return allRecords(store).map(({ path, name, agent, level, root }) => ({
    path,
    name,
    agent,
    level,
    root,
  }));
}

/** How everything is now. */
export function stateNow(store: string): KnownState {
  const paths = [...ownFiles(store), ...criticalIn(extensionsOf(store))];
  const files = Object.fromEntries(paths.map((path) => [path, hashAt(path)]));
  return { files, hooks: writtenHooks(store) };
}

export function saveKnown(store: string, state: KnownState): void {
  mkdirSync(dirname(knownFile(store)), { recursive: true, mode: 0o700 });
  replaceFile(knownFile(store), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

export function hashAt(path: string): string | null {
  try {
    return createHash("sha256").update(readRegular(path, LARGE_FILE)).digest("hex");
  } catch {
    return null;
  }
}

/**
 * Runs a command of the user's that may change Seam's files. What it changes is right; what was
 * changed before it is not, only because of it.
 */
export async function byTheUser<T>(store: string, command: () => Promise<T>): Promise<T> {
  const before = stateNow(store);
  const changing = changingFile(store);
  try {
    writeFileSync(changing, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    // Where no daemon ever ran, nobody is watching.
  }
  try {
    return await command();
  } finally {
    noteChanges(store, before);
    rmSync(changing, { force: true });
  }
}

/** The same for a change that Seam makes at once because the user asked for it. */
export function changeByUser(store: string, change: () => void): void {
  const before = stateNow(store);
  try {
    change();
  } finally {
    noteChanges(store, before);
  }
}

function noteChanges(store: string, before: KnownState): void {
  const known = readKnown(store);
  if (!known) return;
  const now = stateNow(store);
  const files = { ...known.files };
  for (const [path, hash] of Object.entries(now.files)) {
    if (hash !== before.files[path]) files[path] = hash;
  }
  const has = (list: readonly KnownHooks[], { path }: KnownHooks) =>
    list.some((one) => one.path === path);
  const kept = known.hooks.filter((one) => !has(before.hooks, one) || has(now.hooks, one));
  const added = now.hooks.filter((one) => !has(known.hooks, one));
  saveKnown(store, { files, hooks: [...kept, ...added] });
}

/** Whether such a command is under way. */
export function isChanging(store: string): boolean {
  const text = readText(changingFile(store));
  return text !== undefined && isRunning(pidIn(text));
}
