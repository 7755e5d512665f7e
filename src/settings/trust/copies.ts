import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { inWords } from "../../errors/index.ts";
import { ageOf } from "../../files/index.ts";
import { seamHome } from "../paths.ts";

/** Files by their path, with what is in them. */
export type Content = ReadonlyMap<string, Buffer>;

/** The hash of every file of a copy, by the path the file had when it was trusted. */
export type Manifest = Readonly<Record<string, string>>;

const MANIFEST = "manifest.json";
const FILES = "files";

/** Where copies of what the user trusted are kept. */
export const copiesDir = () => join(seamHome(), "trusted");

export const copyDir = (id: string) => join(copiesDir(), id);

/** Where a copy keeps the file that had this path: below the copy, the whole path stands again. */
export function pathInCopy(id: string, path: string): string {
  return join(copyDir(id), FILES, path);
}

/** The path a file of a copy had when it was trusted; undefined if it is not in a copy. */
export function pathBeforeCopy(file: string, copies = copiesDir()): string | undefined {
  const [id, files, ...rest] = relative(copies, file).split(sep);
  return id !== ".." && files === FILES ? sep + rest.join(sep) : undefined;
}

export function hashOf(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function manifestOf(content: Content): Manifest {
  const paths = [...content.keys()].sort();
  return Object.fromEntries(paths.map((path) => [path, hashOf(content.get(path) ?? "")]));
}

/** The name of a copy says what is in it: it is the hash of its list of hashes. */
export function idOf(manifest: Manifest): string {
  return hashOf(manifestText(manifest));
}

function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Keeps a copy for the user alone; gives its id. */
export function keepCopy(content: Content): string {
  const manifest = manifestOf(content);
  const id = idOf(manifest);
  if (existsSync(copyDir(id)) && faultOf(id) === undefined) return id;
  const temporary = copyDir(`.${id.slice(0, 8)}.${randomUUID()}`);
  try {
    for (const [path, bytes] of content) {
      const target = join(temporary, FILES, path);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      writeFileSync(target, bytes, { mode: 0o400 });
    }
    mkdirSync(temporary, { recursive: true, mode: 0o700 });
    writeFileSync(join(temporary, MANIFEST), manifestText(manifest), { mode: 0o400 });
    rmSync(copyDir(id), { recursive: true, force: true });
    renameSync(temporary, copyDir(id));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return id;
}

/** The hashes of a copy's files. Throws if the list is missing or is not the one it was. */
export function readManifest(id: string): Manifest {
  const text = readFileSync(join(copyDir(id), MANIFEST), "utf8");
  if (hashOf(text) !== id) throw new Error("the list of its files was changed");
  return JSON.parse(text) as Manifest;
}

const sound = new Map<string, string>();

/**
 * What is wrong with a copy; undefined if every file is there as it was trusted, and no other. Read
 * again only after something about its files changed.
 */
export function faultOf(id: string): string | undefined {
  try {
    const print = printOf(copyDir(id));
    if (sound.get(id) === print) return undefined;
    const manifest = readManifest(id);
    const files = filesBelow(join(copyDir(id), FILES));
    const expected = new Set(Object.keys(manifest).map((path) => pathInCopy(id, path)));
    const extra = files.find((file) => !expected.has(file));
    if (extra !== undefined) return `${extra} was put into it`;
    for (const [path, hash] of Object.entries(manifest)) {
      if (hashOf(readFileSync(pathInCopy(id, path))) !== hash) return `its ${path} was changed`;
    }
    sound.set(id, print);
    return undefined;
  } catch (error) {
    return inWords(error);
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function printOf(folder: string): string {
  return filesBelow(folder)
    .map((file) => {
      const { ino, size, mtimeMs, ctimeMs } = statSync(file);
      return `${file} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    })
    .join("\n");
}

export function areThereCopies(): boolean {
  return existsSync(copiesDir()) && readdirSync(copiesDir()).length > 0;
}

/** The copies that nobody has touched for so long. */
export function oldCopies(ageMs: number): string[] {
  if (!existsSync(copiesDir())) return [];
  return readdirSync(copiesDir()).filter(
    (name) => !name.startsWith(".") && ageOf(copyDir(name)) > ageMs,
  );
}

/** Removes all copies but these. */
export function removeOtherCopies(ids: ReadonlySet<string>): void {
  if (!existsSync(copiesDir())) return;
  for (const name of readdirSync(copiesDir())) {
    // One with a dot in front is being written by another process.
    if (ids.has(name) || name.startsWith(".")) continue;
    rmSync(join(copiesDir(), name), { recursive: true, force: true });
  }
}
