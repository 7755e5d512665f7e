import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBytes } from "./config-file.ts";
import type { FileOps } from "./file-ops.ts";
import type { Level } from "./installer.ts";

/** What Seam did to one file, kept so that it can be undone to the byte. */
export interface InstallRecord {
  /** The file itself, behind all links. */
  readonly path: string;
  /** Where the agent looks for it. */
  readonly name: string;
  readonly agent: string;
  readonly level: Level;
  /** Of which project it is; at user level, the home folder. */
  readonly root: string;
  /** The user wants it committed, for everybody who works on the project. */
  readonly shared?: boolean;
  /** Seam's MCP server was put there too. */
  readonly mcp?: boolean;
  /** What the file was before; undefined: there was none. */
  readonly original: Buffer | undefined;
  /** Hashes of what Seam wrote. Two while a write is under way: it may not have happened. */
  readonly results: readonly string[];
  /** Folders that were made for it, outermost first. */
  readonly folders: readonly string[];
}

export const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/**
 * Records are in Seam's folder, one file for each: the cost does not grow with the number of
 * projects.
 */
const folderIn = (store: string) => join(store, "installs");
const fileFor = (store: string, path: string) =>
  join(folderIn(store), `${hashOf(Buffer.from(path)).slice(0, 32)}.json`);

export function recordOf(store: string, path: string): InstallRecord | undefined {
  return read(fileFor(store, path), path);
}

/** Everything Seam ever put somewhere and did not take back. */
export function allRecords(store: string): InstallRecord[] {
  return filesIn(folderIn(store))
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => read(join(folderIn(store), name)) ?? [])
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function saveRecord(store: string, record: InstallRecord, ops: FileOps): void {
  const file = fileFor(store, record.path);
  // What it keeps may hold keys and tokens.
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const original = record.original?.toString("base64") ?? null;
  ops.replace(file, Buffer.from(`${JSON.stringify({ ...record, original }, null, 2)}\n`), 0o600);
}

export function dropRecord(store: string, path: string, ops: FileOps): void {
  const file = fileFor(store, path);
  if (existsSync(file)) ops.remove(file);
}

/** A record that cannot be read counts as none: then entries are taken out one by one. */
function read(file: string, path?: string): InstallRecord | undefined {
  try {
    const value: unknown = JSON.parse(readBytes(file)?.toString() ?? "");
    return isRecord(value) && (path === undefined || value.path === path)
      ? {
          ...value,
          original: value.original === null ? undefined : Buffer.from(value.original, "base64"),
        }
      : undefined;
  } catch {
    return undefined;
  }
}

interface Stored extends Omit<InstallRecord, "original"> {
  readonly original: string | null;
}

function isRecord(value: unknown): value is Stored {
  if (typeof value !== "object" || value === null) return false;
  const { path, name, agent, level, root, original, results, folders } = value as Partial<
    Record<keyof InstallRecord, unknown>
  >;
  const texts = [path, name, agent, level, root];
  return (
    texts.every((text) => typeof text === "string") &&
    (original === null || typeof original === "string") &&
    isTexts(results) &&
    isTexts(folders)
  );
}

const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
