import { readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { breather } from "../../files/index.ts";
import type { ObjectBatch } from "../object-batch.ts";
import { objectIdOf } from "../objects/object-id.ts";
import type { TreeValue } from "../objects/tree-format.ts";
import type { RawPath } from "../paths/raw-path.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import { lstatOf, statOf } from "../repo/small-file.ts";
import { git } from "../run/run-git.ts";
import type { TreeChange } from "../trees/edit-tree.ts";
import { mayBeFiltered } from "./filters.ts";
import { ownFilters } from "./own-filters.ts";
import { workPath } from "./work-path.ts";

/**
 * How a file is on the disk, where git stores something else for it because of its line ends: the
 * same with CRLF at the end of every line, or bytes that are stored by themselves.
 */
export type DiskForm = "crlf" | { readonly bytes: string };

/** What is stored for paths of the work tree. */
type Stored = ReadonlyMap<RawPath, TreeValue>;
type Forms = Map<RawPath, DiskForm>;

const LARGEST = 100 * 1024 * 1024;

/** So many sizes are asked for together. */
const AT_ONCE = 200;

/**
 * The forms of files for which this is stored. One whose bytes differ by more than line ends has none: a
 * filter makes them, which git knows, or they were written since, and nobody looked for secrets in them.
 */
export async function formsOfStored(batch: ObjectBatch, stored: Stored): Promise<Forms> {
  const { repo } = batch;
  const { workTree } = repo;
  const forms: Forms = new Map();
  if (workTree === undefined) return forms;
  const breathe = breather();
  const files = [...stored].filter(([, { mode }]) => isFileMode(mode));
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    const sizes = await Promise.all(some.map(([, { id }]) => batch.store.info(id)));
    for (const [index, [path, { id }]] of some.entries()) {
      await breathe();
      const place = workPath(workTree, path);
      const content = mayHaveOtherEnds(lstatOf(place), sizes[index]?.size) && contentOf(place);
      const ends = content && lineEnds(repo, id, content);
      if (ends === "crlf") forms.set(path, ends);
      else if (ends) forms.set(path, { bytes: await batch.writeBlob(content) });
    }
  }
  return forms;
}

/**
 * Git takes one byte away at the ends of some lines, and a line has at least one that stays. What filters
 * have made small, as those for large files do, is not even read.
 */
function mayHaveOtherEnds(stats: Stats | undefined, size: number | undefined): boolean {
  if (!stats?.isFile() || size === undefined || stats.size > LARGEST) return false;
  return stats.size > size && stats.size <= 2 * size;
}

const isFileMode = (mode: string) => mode === "100644" || mode === "100755";

function contentOf(path: Buffer): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Undefined where more than line ends differs from what git stores. */
function lineEnds(
  { objectFormat }: Repo,
  id: string,
  content: Buffer,
): "crlf" | "mixed" | undefined {
  const plain = Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  if (objectIdOf(objectFormat, "blob", plain) !== id) return undefined;
  return withCrlf(plain).equals(content) ? "crlf" : "mixed";
}

/** Text with CRLF at the end of every line that ends with LF. */
export function withCrlf(content: Buffer): Buffer {
  return Buffer.from(content.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
}

/** A file of the index, and how it was on the disk when somebody looked. */
interface Seen {
  readonly value: TreeValue;
  /** Changes with everything that is written to the file. */
  readonly stamp: string;
  readonly form: DiskForm | undefined;
}

/** What is known of the files that git calls unchanged. */
interface SeenTree {
  /** Of the index. While it is the same, git tells which files were written since. */
  readonly stamp: string;
  readonly files: Map<RawPath, Seen>;
}

const trees = new Map<string, SeenTree>();
const KEPT = 8;

/**
 * The forms of the files that git calls unchanged. Only what is the same but for its line ends gets
 * one: a file that git was told not to look at may hold anything.
 */
async function formsOfUnchanged(
  batch: ObjectBatch,
  isChanged: (path: RawPath) => boolean,
  written: WrittenFiles | undefined,
): Promise<Forms> {
  const { repo } = batch;
  const { workTree } = repo;
  const forms: Forms = new Map();
  if (workTree === undefined) return forms;
  const tree = await lookedAt(batch, workTree, isChanged, written);
  trees.delete(workTree);
  trees.set(workTree, tree);
  for (const oldest of [...trees.keys()].slice(0, -KEPT)) trees.delete(oldest);
  for (const [path, { form }] of tree.files) {
    if (!form || isChanged(path)) continue;
    forms.set(path, form);
    // It was stored for an earlier look, which may have been thrown away since.
    if (form !== "crlf") batch.needs(form.bytes, () => isStored(batch, path, form.bytes));
  }
  return forms;
}

/** Looks at the files that may have been written since the last time, or at all of them. */
async function lookedAt(
  batch: ObjectBatch,
  workTree: string,
  isChanged: (path: RawPath) => boolean,
  written: WrittenFiles | undefined,
): Promise<SeenTree> {
  const stamp = indexStamp(batch.repo);
  const before = trees.get(workTree);
  const isSame = written !== undefined && before?.stamp === stamp;
  const files = isSame ? before.files : new Map<RawPath, Seen>();
  const paths: Iterable<readonly [RawPath, TreeValue | undefined]> = isSame
    ? (await written).map((path) => [path, files.get(path)?.value])
    : await indexed(batch.repo);
  const unknown = new Map<RawPath, TreeValue>();
  const breathe = breather();
  for (const [path, value] of paths) {
    await breathe();
    if (!value || !isFileMode(value.mode)) continue;
    const stats = isChanged(path) ? undefined : lstatOf(workPath(workTree, path));
    const now = stats?.isFile() ? stampOf(stats, value.id) : "";
    const known = before?.files.get(path);
    const isKnown = now !== "" && known?.stamp === now;
    files.set(path, isKnown ? known : { value, stamp: now, form: undefined });
    if (now !== "" && !isKnown) unknown.set(path, value);
  }
  for (const [path, form] of await formsOfStored(batch, unknown)) {
    const seen = files.get(path);
    if (seen) files.set(path, { ...seen, form });
  }
  return { stamp, files };
}

/** Files that were written since git put them into its index, also with the same content. */
export type WrittenFiles = Promise<readonly RawPath[]>;

/**
 * Begins to ask git for them, while something else is done. Undefined where all files have to be looked
 * at anyway.
 */
export function askForWritten(repo: Repo): WrittenFiles | undefined {
  const known = trees.get(repo.workTree ?? "");
  if (!known || known.stamp !== indexStamp(repo)) return undefined;
  const written = writtenSince(repo);
  // Whoever waits for it hears of it; nobody may wait.
  written.catch(() => {});
  return written;
}

async function writtenSince(repo: Repo): Promise<RawPath[]> {
  const args = [...atRepo(repo), "--work-tree", repo.workTree ?? "", "diff-files", "--name-only"];
  const output = await git([...args, "-z", "--ignore-submodules"], {
    cwd: repo.workTree ?? repo.gitDir,
    settings: await ownFilters(repo),
  });
  return output.toString("latin1").split("\0").slice(0, -1) as RawPath[];
}

async function isStored(batch: ObjectBatch, path: RawPath, id: string): Promise<boolean> {
  const content = contentOf(workPath(batch.repo.workTree ?? "", path));
  if (!content || objectIdOf(batch.repo.objectFormat, "blob", content) !== id) return false;
  return (await batch.store.writeBlob(content)) === id;
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats, id: string): string {
  return `${id} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

async function indexed(repo: Repo, ...which: string[]): Promise<Map<RawPath, TreeValue>> {
  const args = [...atRepo(repo), "--work-tree", repo.workTree ?? "", "ls-files", "-s", "-z"];
  const output = await git([...args, "--", ...which], { cwd: repo.workTree ?? repo.gitDir });
  const found = new Map<RawPath, TreeValue>();
  for (const line of output.toString("latin1").split("\0")) {
    // mode SP id SP stage TAB path
    const tab = line.indexOf("\t");
    const [mode = "", id = ""] = line.slice(0, tab).split(" ");
    if (tab > 0) found.set(line.slice(tab + 1) as RawPath, { mode, id });
  }
  return found;
}

/** By git folder: whether its index has attributes in any folder. */
const attributed = new Map<string, { readonly stamp: string; readonly has: boolean }>();

async function hasAttributes(repo: Repo): Promise<boolean> {
  const stamp = indexStamp(repo);
  const known = attributed.get(repo.gitDir);
  if (known?.stamp === stamp) return known.has;
  const has = (await indexed(repo, ".gitattributes", "**/.gitattributes")).size > 0;
  attributed.set(repo.gitDir, { stamp, has });
  return has;
}

function indexStamp({ gitDir }: Repo): string {
  const stats = statOf(join(gitDir, "index"));
  return stats ? stampOf(stats, "") : "";
}

/**
 * How all files of the work tree are on the disk where git stores something else. Undefined where no
 * rule of git's makes a difference between the two.
 */
export async function diskForms(
  batch: ObjectBatch,
  stored: Stored,
  isChanged: (path: RawPath) => boolean,
  written: WrittenFiles | undefined,
): Promise<Forms | undefined> {
  const { repo } = batch;
  if (!((await mayBeFiltered(repo, [...stored.keys()])) || (await hasAttributes(repo)))) {
    return undefined;
  }
  return new Map([
    ...(await formsOfUnchanged(batch, isChanged, written)),
    ...(await formsOfStored(batch, stored)),
  ]);
}

/** As they are kept: a tree with a folder for each kind. */
export async function formChanges(batch: ObjectBatch, forms: Forms): Promise<TreeChange[]> {
  if (forms.size === 0) return [];
  const mode = "100644";
  const mark = await batch.writeBlob(new Uint8Array());
  return [...forms].map(([path, form]) =>
    form === "crlf"
      ? { path: formPath("crlf", path), entry: { mode, id: mark } }
      : { path: formPath("bytes", path), entry: { mode, id: form.bytes } },
  );
}

export function formPath(kind: "crlf" | "bytes", path: RawPath): RawPath {
  return `${kind}/${path}` as RawPath;
}
