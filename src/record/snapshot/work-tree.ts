import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { breather } from "../../files/index.ts";
import {
  askForWritten,
  diskForms,
  editTree,
  formChanges,
  formPath,
  formsOfStored,
  ignoredPaths,
  insideCheck,
  type ObjectBatch,
  type RawPath,
  scanWorkTree,
  shownPath,
  storeFiles,
  type TreeChange,
  TreeLookup,
  type TreeValue,
  workPath,
} from "../../git/index.ts";
import type { RepoRecord } from "../repo-record.ts";
import { floodCheck, type LeftOut } from "./left-out.ts";
import { isSecretFile } from "./secret-file.ts";
import { floodOf, type Weighed } from "./untracked-limit.ts";

export interface WorkTree {
  readonly tree: string;
  /** What is there now and not in the tree: that has what was there before, or nothing. */
  readonly leftOut: readonly LeftOut[];
  /** What git would call the content of files that were left out for their secrets. */
  readonly unstored: ReadonlyMap<string, string>;
  /** A tree that says how files are on the disk where git stores something else: see `DiskForm`. */
  readonly onDisk?: string | undefined;
}

/** Bigger files stay out of snapshots: git hosts refuse them, and no agent writes them by hand. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

interface Candidate {
  readonly path: RawPath;
  /** git does not know it yet, so nobody has decided that it may be in the repository. */
  readonly isNew: boolean;
  /** Nothing is there any more, or a folder, whose files speak for themselves. */
  readonly isGone?: boolean;
  /** Another repository inside this one: the commit it is at. */
  readonly repository?: string | undefined;
}

type Secrets = Pick<RepoRecord, "secrets">;

/** How much of what git does not track is in one snapshot at most. */
export interface Bounds {
  readonly files: number;
  readonly bytes: number;
}

/** A folder that a program filled must not fill the repository too, nor hold up what comes after. */
const BOUNDS: Bounds = { files: 20_000, bytes: 512 * 1024 * 1024 };

interface Look {
  readonly head: string | undefined;
  /** The snapshot before, whose files have been looked at already. */
  readonly last?: string | undefined;
  /** Files the agent's tools named: they are in it also where others around them are too many. */
  readonly named?: readonly RawPath[] | undefined;
  readonly bounds?: Bounds | undefined;
}

/**
 * The work tree as a tree, from a look at all of it. Costs what `git status` costs, and as much again
 * for each untracked file up to a bound; what is beyond it is left out.
 */
export async function wholeWorkTree(
  record: Secrets,
  batch: ObjectBatch,
  { head, last, named = [], bounds = BOUNDS }: Look,
): Promise<WorkTree> {
  const written = askForWritten(batch.repo);
  const { changes } = await scanWorkTree(batch.repo);
  const candidates = changes.map(({ path, kind, id }) => ({
    path,
    isNew: kind === "untracked",
    isGone: kind === "deleted",
    repository: id,
  }));
  const flood = await untrackedFlood(batch, candidates, bounds);
  const isFlooded = floodCheck(flood);
  const tooBig = new Set(flood.filter(({ why }) => why === "too big").map(({ path }) => path));
  const isNamed = new Set(named);
  const kept = candidates.filter(
    ({ path, isNew }) =>
      !isNew || isNamed.has(path) || !(isFlooded(path) || tooBig.has(shownPath(path))),
  );
  const { stored, ...now } = await treeWith(record, batch, { base: head, last }, kept);
  const changed = new Set(candidates.map(({ path }) => path));
  const forms = await diskForms(batch, stored, (path) => changed.has(path), written);
  const onDisk = forms && (await editTree(batch, undefined, await formChanges(batch, forms)));
  return { ...now, leftOut: [...now.leftOut, ...flood], onDisk };
}

/** What is too much to be stored, of files git does not know. */
async function untrackedFlood(
  { repo: { workTree } }: ObjectBatch,
  candidates: readonly Candidate[],
  { files, bytes }: Bounds,
): Promise<LeftOut[]> {
  const untracked = candidates.filter(({ isNew, repository }) => isNew && repository === undefined);
  const tooMany = floodOf(
    untracked.map(({ path }) => ({ path, weight: 1 })),
    files,
  );
  const isLeft = floodCheck(tooMany);
  const breathe = breather();
  const weighed: Weighed[] = [];
  for (const { path } of untracked) {
    await breathe();
    if (!isLeft(path)) weighed.push({ path, weight: bytesOf(workTree, path) });
  }
  return [...tooMany, ...floodOf(weighed, bytes)];
}

/** Of what would be stored: a file that is too big by itself is not. */
function bytesOf(workTree: string | undefined, path: RawPath): number {
  if (workTree === undefined) return 0;
  const stats = lstatSync(workPath(workTree, path), { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= MAX_FILE_BYTES ? stats.size : 0;
}

/** The work tree as a tree, if only these paths differ from an earlier one. */
export async function workTreeAt(
  record: Secrets,
  batch: ObjectBatch,
  before: Pick<WorkTree, "tree" | "leftOut" | "onDisk">,
  paths: readonly RawPath[],
): Promise<WorkTree> {
  const candidates: Candidate[] = [];
  const trees = new TreeLookup(batch);
  for (const path of new Set(paths)) {
    const isNew = (await trees.at(before.tree, path)) === undefined;
    candidates.push({ path, isNew });
  }
  const isInside = insideCheck(batch.repo.workTree ?? "");
  // About paths behind links and in other repositories git refuses to answer, and about all others then too.
  const added = candidates.filter(({ isNew, path }) => isNew && isInside(path));
  const ignored = await ignoredPaths(
    batch.repo,
    added.map(({ path }) => path),
  );
  const named = candidates.filter(({ path }) => !ignored.has(path));
  const { stored, ...now } = await treeWith(record, batch, { base: before.tree }, named);
  // A file that was left out before and not looked at now is still left out.
  const isNamed = new Set(named.map(({ path }) => shownPath(path)));
  const leftOut = [...before.leftOut.filter(({ path }) => !isNamed.has(path)), ...now.leftOut];
  const onDisk = before.onDisk && (await withForms(batch, before.onDisk, named, stored));
  return { ...now, leftOut, onDisk };
}

/** The same tree of forms, if only these paths were looked at since. */
async function withForms(
  batch: ObjectBatch,
  before: string,
  looked: readonly Candidate[],
  stored: ReadonlyMap<RawPath, TreeValue>,
): Promise<string> {
  const gone = looked.flatMap(({ path }) => [
    { path: formPath("crlf", path), entry: null },
    { path: formPath("bytes", path), entry: null },
  ]);
  const forms = await formChanges(batch, await formsOfStored(batch, stored));
  return editTree(batch, before, [...gone, ...forms]);
}

interface Trees {
  readonly base: string | undefined;
  readonly last?: string | undefined;
}

interface Known extends Trees {
  readonly lookup: TreeLookup;
}

async function treeWith(
  record: Secrets,
  batch: ObjectBatch,
  { base, last }: Trees,
  candidates: readonly Candidate[],
): Promise<WorkTree & { readonly stored: ReadonlyMap<RawPath, TreeValue> }> {
  const trees: Known = { base, last, lookup: new TreeLookup(batch) };
  const leftOut: LeftOut[] = [];
  const changes: TreeChange[] = [];
  const wanted = new Map<RawPath, Candidate>();
  const unstored = new Map<string, string>();
  const stored = new Map<RawPath, TreeValue>();
  const added = candidates.filter(({ isNew }) => isNew).map(({ path }) => shownPath(path));
  const secretNames = await record.secrets.named(added);
  for (const candidate of candidates) {
    const { path, isNew, isGone, repository } = candidate;
    const isNamed = secretNames.has(shownPath(path));
    if (repository !== undefined && isNamed) leftOut.push({ path: shownPath(path), why: "secret" });
    else if (repository !== undefined)
      changes.push({ path, entry: { mode: "160000", id: repository } });
    else if (isGone) changes.push({ path, entry: null });
    else if (isNew && isSecretFile(path)) leftOut.push({ path: shownPath(path), why: "secret" });
    else wanted.set(path, candidate);
  }
  const admits = async (path: RawPath, content: Buffer) => {
    const id = blobId(batch, content);
    const isOld = wanted.get(path)?.isNew === false;
    const isNamed = secretNames.has(shownPath(path));
    if (!isNamed && (await mayBeStored(record, batch, trees, { path, id, content, isOld })))
      return true;
    unstored.set(shownPath(path), id);
    return false;
  };
  const options = { maxBytes: MAX_FILE_BYTES, admits };
  for (const [path, file] of await storeFiles(batch, [...wanted.keys()], options)) {
    if (!("skipped" in file)) stored.set(path, { mode: file.mode, id: file.id });
    else if (file.skipped === "missing") changes.push({ path, entry: null });
    else if (file.skipped === "not-a-file" && isFolder(batch, path)) {
      // It is a folder now: its files are listed themselves, and the file of that name is gone.
      if (await blobAt(trees, trees.base, path)) changes.push({ path, entry: null });
    } else leftOut.push({ path: shownPath(path), why: WHY[file.skipped] ?? "unreadable" });
  }
  changes.push(...[...stored].map(([path, entry]) => ({ path, entry })));
  return { tree: await editTree(batch, trees.base, changes), leftOut, unstored, stored };
}

const WHY: Readonly<Record<string, LeftOut["why"]>> = {
  refused: "secret",
  "too-big": "too big",
  elsewhere: "elsewhere",
  unfiltered: "unfiltered",
};

interface Content {
  readonly path: RawPath;
  readonly id: string;
  readonly content: Buffer;
  /** git knows the file. */
  readonly isOld: boolean;
}

/** What git has is there already, with or without a secret; the rest is searched. */
async function mayBeStored(
  { secrets }: Secrets,
  batch: ObjectBatch,
  trees: Known,
  { path, id, content, isOld }: Content,
): Promise<boolean> {
  const before = await blobAt(trees, trees.base, path);
  if (before?.id === id || (await blobAt(trees, trees.last, path))?.id === id) return true;
  if (isOld && (await batch.store.has(id))) return true;
  const old = isOld && before ? (await batch.read(before.id))?.content : undefined;
  const known = before && old && { id: before.id, content: old };
  return !(await secrets.finds(id, content, known));
}

async function blobAt(
  { lookup }: Known,
  tree: string | undefined,
  path: RawPath,
): Promise<TreeValue | undefined> {
  const value = await lookup.at(tree, path);
  return value?.mode === "40000" ? undefined : value;
}

function isFolder({ repo: { workTree } }: ObjectBatch, path: RawPath): boolean {
  if (workTree === undefined) return false;
  return lstatSync(workPath(workTree, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function blobId({ repo }: ObjectBatch, content: Buffer): string {
  const header = `blob ${content.length}\0`;
  return createHash(repo.objectFormat).update(header).update(content).digest("hex");
}
