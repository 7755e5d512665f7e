import { type RawPath, shownPath } from "../../git/index.ts";
import { EVERYTHING, type LeftOut, shownFilesIn, shownFolder } from "./left-out.ts";

/** A file and what it counts: one, or its bytes. */
export interface Weighed {
  readonly path: RawPath;
  readonly weight: number;
}

/** A folder with what is in it and has not been left out yet. */
interface Folder {
  readonly path: RawPath | "";
  readonly folders: Map<string, Folder>;
  files: Weighed[];
  /** Of the files directly in it. */
  ownWeight: number;
  /** Of all below it. */
  weight: number;
  count: number;
}

/** With more places than this, one entry for the whole work tree is written instead. */
const MOST_PLACES = 100;

/**
 * What to leave out so that the rest weighs at most so much: as few and as particular places as
 * possible, so that a folder that a program filled goes and what people wrote beside it stays. The
 * same files give the same answer, whatever order they come in.
 */
export function floodOf(files: readonly Weighed[], most: number): LeftOut[] {
  const root = treeOf(files);
  const { count } = root;
  const left: LeftOut[] = [];
  while (root.weight > most) {
    if (left.length === MOST_PLACES) return [{ path: EVERYTHING, why: "too many", files: count }];
    left.push(takeHeaviest(root));
  }
  return left;
}

function treeOf(files: readonly Weighed[]): Folder {
  const root = newFolder("");
  for (const file of files) {
    root.weight += file.weight;
    root.count++;
    let folder = root;
    for (let at = 0, slash = file.path.indexOf("/"); slash >= 0; ) {
      const name = file.path.slice(at, slash);
      let next = folder.folders.get(name);
      if (!next) {
        next = newFolder(file.path.slice(0, slash) as RawPath);
        folder.folders.set(name, next);
      }
      next.weight += file.weight;
      next.count++;
      folder = next;
      at = slash + 1;
      slash = file.path.indexOf("/", at);
    }
    folder.files.push(file);
    folder.ownWeight += file.weight;
  }
  return root;
}

function newFolder(path: RawPath | ""): Folder {
  return { path, folders: new Map(), files: [], ownWeight: 0, weight: 0, count: 0 };
}

/** Leaves out the folder that has most of the bytes, as deep down as possible. */
function takeHeaviest(root: Folder): LeftOut {
  const above: Folder[] = [];
  for (let folder = root; ; ) {
    const child = heaviest([...folder.folders.values()]);
    const isInFiles = child === undefined || folder.ownWeight >= child.weight;
    const most = isInFiles ? folder.ownWeight : child.weight;
    // No subfolder has most of it, so the folder is left out as a whole; never the work tree
    // itself.
    if (folder !== root && most * 2 < folder.weight) return takeFolder(above, folder);
    if (isInFiles) return takeFiles([...above, folder], folder);
    above.push(folder);
    folder = child;
  }
}

function takeFolder(above: readonly Folder[], folder: Folder): LeftOut {
  const { path, weight, count } = folder;
  above.at(-1)?.folders.delete(path.slice(path.lastIndexOf("/") + 1));
  lighten(above, weight, count);
  return { path: shownFolder(path), why: "too many", files: count };
}

/** All files directly in a folder, or the one that is heavier than all others. */
function takeFiles(above: readonly Folder[], folder: Folder): LeftOut {
  const { files, ownWeight } = folder;
  const biggest = heaviest(files);
  if (biggest && biggest.weight > 1 && biggest.weight * 2 >= ownWeight) {
    folder.files = files.filter((file) => file !== biggest);
    folder.ownWeight -= biggest.weight;
    lighten(above, biggest.weight, 1);
    return { path: shownPath(biggest.path), why: "too big" };
  }
  folder.files = [];
  folder.ownWeight = 0;
  lighten(above, ownWeight, files.length);
  return { path: shownFilesIn(folder.path), why: "too many", files: files.length };
}

function lighten(folders: readonly Folder[], weight: number, count: number): void {
  for (const folder of folders) {
    folder.weight -= weight;
    folder.count -= count;
  }
}

/** Of those that weigh the same the last one by name. */
function heaviest<T extends { readonly path: string; readonly weight: number }>(
  things: readonly T[],
): T | undefined {
  let found: T | undefined;
  for (const one of things) {
    const isHeavier = !found || one.weight > found.weight;
    if (isHeavier || (one.weight === found?.weight && one.path > found.path)) found = one;
  }
  return found;
}
