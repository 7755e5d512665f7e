import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isBelow, leadsOutside, realTarget } from "../../files/index.ts";
import { readBytes } from "./config-file.ts";
import type { FileOps } from "./file-ops.ts";
import {
  allRecords,
  dropRecord,
  hashOf,
  type InstallRecord,
  saveRecord,
} from "./install-record.ts";

/**
 * What is remembered about a project's files is found by their paths. After the project was moved or
 * copied it is remembered for the new place too, so that there as well a file becomes what it was.
 */
export function adoptMoved(store: string, project: string, ops: FileOps): void {
  const all = allRecords(store);
  const known = new Set(all.map(({ path }) => path));
  const found = new Map<string, InstallRecord[]>();
  const outdated: string[] = [];
  for (const record of all) {
    if (record.level !== "project" || record.root === project) continue;
    const moved = movedTo(record, project);
    if (!moved || known.has(moved.path) || !isAsLeft(moved)) continue;
    found.set(moved.path, [...(found.get(moved.path) ?? []), moved]);
    // Deleted or moved: either way nothing of Seam's is there any more.
    if (!existsSync(record.root)) outdated.push(record.path);
  }
  for (const [first, ...more] of found.values()) {
    // Which of several projects this one was cannot be told; it matters only where they differed.
    const isClear = more.every((one) => isDeepStrictEqual(one.original, first?.original));
    if (first && isClear) saveRecord(store, first, ops);
  }
  for (const path of outdated) dropRecord(store, path, ops);
}

function movedTo(record: InstallRecord, project: string): InstallRecord | undefined {
  const { root, name } = record;
  if (!isBelow(name, root)) return undefined;
  const inProject = (path: string) => join(project, relative(root, path));
  if (leadsOutside(inProject(name), project) !== undefined) return undefined;
  const path = realTarget(inProject(name));
  const folders = record.folders.filter((folder) => isBelow(folder, root)).map(inProject);
  return { ...record, path, name: inProject(name), root: project, folders };
}

/** Nobody changed it since Seam wrote it: so it is the same file, or a copy of it. */
function isAsLeft({ path, results }: InstallRecord): boolean {
  try {
    const bytes = readBytes(path);
    return bytes !== undefined && results.includes(hashOf(bytes));
  } catch {
    return false;
  }
}
