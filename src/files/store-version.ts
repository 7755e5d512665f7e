import { join } from "node:path";
import { SeamError } from "../errors/index.ts";
import { readText } from "./read-text.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Everything Seam keeps, and the version in which this program writes each. A version rises only
 * when an earlier Seam would misunderstand what is written: then the code that reads the store
 * brings the earlier form over. What carries no number is as 0.1.0 wrote it, which is version 1.
 */
const STORES = {
  record: { version: 1, name: "The record" },
  session: { version: 1, name: "The state of a session" },
  checkpoint: { version: 1, name: "A checkpoint" },
  snapshot: { version: 1, name: "A snapshot" },
  journal: { version: 1, name: "The daemon's journal" },
  index: { version: 2, name: "The index of search" },
} as const;

export type StoreKind = keyof typeof STORES;

const FIRST = 1;

/** The number that goes into what is written. */
export function storeVersion(kind: StoreKind): number {
  return STORES[kind].version;
}

/** Why this program has to leave something alone; undefined if it understands it. */
export function storeRefusal(kind: StoreKind, path: string, found: unknown): SeamError | undefined {
  const { version: known, name } = STORES[kind];
  const version = Number.isSafeInteger(found) ? Number(found) : FIRST;
  if (version <= known) return undefined;
  return new SeamError("SEAM_STORE_NEWER", { store: name, path, version, known });
}

/** The file in which a folder says its version. */
export const VERSION_FILE = "version";
const fileIn = (folder: string) => join(folder, VERSION_FILE);

/** The same for a folder that says its version in a file. */
export function folderRefusal(kind: StoreKind, folder: string): SeamError | undefined {
  const text = readText(fileIn(folder));
  return text === undefined ? undefined : storeRefusal(kind, folder, Number.parseInt(text, 10));
}

/** Writes into a folder, which is there, that it is of this program's version. */
export function markVersion(kind: StoreKind, folder: string): void {
  const text = `${storeVersion(kind)}\n`;
  if (readText(fileIn(folder)) !== text) replaceFile(fileIn(folder), text);
}
