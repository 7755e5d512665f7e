import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { LARGE_FILE, readRegular } from "../../files/index.ts";

export interface FolderFile {
  /** Below the folder. */
  readonly path: string;
  readonly stat: Stats;
}

/** All files and links below a folder, by name. */
export function filesOf(folder: string, below = ""): FolderFile[] {
  const names = readdirSync(join(folder, below), { withFileTypes: true });
  return names
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return filesOf(folder, path);
      return [{ path, stat: lstatSync(join(folder, path)) }];
    });
}

/** The hash of everything in a folder. */
export function contentIdOf(
  folder: string,
  files: readonly FolderFile[] = filesOf(folder),
): string {
  const hash = createHash("sha256");
  for (const { path, stat } of files) {
    const file = join(folder, path);
    const bytes = stat.isSymbolicLink() ? readlinkSync(file) : readRegular(file, LARGEST);
    const digest = createHash("sha256").update(bytes).digest("hex");
    hash.update(`${stat.isSymbolicLink() ? "link" : "file"} ${digest} ${path}\n`);
  }
  return hash.digest("hex");
}

/** Programs that packages bring are larger than what Seam usually reads as a whole. */
const LARGEST = 16 * LARGE_FILE;

/** How all files look from outside. Whoever changes one cannot keep the time of the change from moving. */
export function printOf(files: readonly FolderFile[]): string {
  const hash = createHash("sha256");
  for (const { path, stat } of files) {
    const { ino, size, mtimeMs, ctimeMs } = stat;
    hash.update(`${path} ${ino} ${size} ${mtimeMs} ${ctimeMs}\n`);
  }
  return hash.digest("hex");
}
