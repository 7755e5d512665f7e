import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { SeamError } from "../../errors/index.ts";
import {
  diffTrees,
  formPath,
  ObjectStore,
  type RawPath,
  type Repo,
  rewrittenPaths,
  shownPath,
  type TreeDifference,
  TreeLookup,
  type TreeValue,
  withCrlf,
  workPath,
} from "../../git/index.ts";

/** What a file is to be. */
export interface WantedFile extends TreeValue {
  /** How its bytes come from what is stored; absent: as git's own checkout makes them. */
  readonly bytes?: "same" | "crlf";
}

interface State {
  readonly tree: string;
  readonly onDisk?: string | undefined;
}

/** Files that are the same for git, and have other line ends. Of a commit nobody knows them. */
export async function lineEndDifferences(
  store: ObjectStore,
  now: State,
  then: State,
  known: readonly TreeDifference[],
): Promise<TreeDifference[]> {
  if (now.onDisk === undefined || then.onDisk === undefined) return [];
  const done = new Set(known.map(({ path }) => path));
  const found: TreeDifference[] = [];
  const trees = new TreeLookup(store);
  for (const { path: form } of await diffTrees(store, now.onDisk, then.onDisk)) {
    const path = form.slice(form.indexOf("/") + 1) as RawPath;
    const value = done.has(path) ? undefined : await trees.at(then.tree, path);
    done.add(path);
    if (value) found.push({ path, before: value, after: value });
  }
  return found;
}

/** Says of each file how the bytes that it had on the disk are made. */
export async function asOnDisk(
  store: ObjectStore,
  onDisk: string | undefined,
  wanted: ReadonlyMap<RawPath, TreeValue | undefined>,
): Promise<ReadonlyMap<RawPath, WantedFile | undefined>> {
  if (onDisk === undefined) return wanted;
  const trees = new TreeLookup(store);
  const found = new Map<RawPath, WantedFile | undefined>();
  for (const [path, value] of wanted) {
    const isFile = value?.mode === "100644" || value?.mode === "100755";
    const bytes = isFile ? await trees.at(onDisk, formPath("bytes", path)) : undefined;
    const crlf = isFile ? await trees.at(onDisk, formPath("crlf", path)) : undefined;
    if (!value || !isFile) found.set(path, value);
    else if (bytes) found.set(path, { mode: value.mode, id: bytes.id, bytes: "same" });
    else found.set(path, { ...value, bytes: crlf ? "crlf" : "same" });
  }
  return found;
}

type Files = readonly (readonly [RawPath, WantedFile])[];

/** Those whose bytes are known; what a filter makes of a file only git can tell. */
export async function withKnownBytes(repo: Repo, files: Files): Promise<Files> {
  const known = files.filter(([, { bytes }]) => bytes !== undefined);
  const rewritten = await rewrittenPaths(
    repo,
    known.filter(([, { bytes }]) => bytes === "same").map(([path]) => path),
  );
  return known.filter(([path]) => !rewritten.has(path));
}

/** Writes files as they were on the disk, whatever git's rules on line ends are now. */
export async function writeBytes(repo: Repo, workTree: string, files: Files): Promise<void> {
  if (files.length === 0) return;
  const store = new ObjectStore(repo);
  try {
    for (const [path, { mode, id, bytes }] of files) {
      const content = (await store.read(id))?.content;
      if (!content) throw new SeamError("SEAM_GIT_OBJECT", { id, detail: "it is missing" });
      write(workTree, path, bytes === "crlf" ? withCrlf(content) : content, mode);
    }
  } finally {
    await store.close();
  }
}

function write(workTree: string, path: RawPath, content: Buffer, mode: string): void {
  const full = workPath(workTree, path);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/"))) as RawPath;
  try {
    mkdirSync(workPath(workTree, folder), { recursive: true });
    // A new file, as git makes one: others may hold the old one by another name.
    rmSync(full, { force: true });
    writeFileSync(full, content, { flag: "wx", mode: mode === "100755" ? 0o777 : 0o666 });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new SeamError("SEAM_REWIND_WRITE", { path: shownPath(path), detail }, { cause: error });
  }
}
