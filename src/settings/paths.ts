import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, parse, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The user's folder: settings, extensions, trust, caches. `SEAM_HOME` moves it. */
export function seamHome(): string {
  return process.env.SEAM_HOME || join(homedir(), ".seam");
}

/** While this file is there, every repository in which an agent works is recorded. */
export function everyRepositoryFile(): string {
  return join(seamHome(), "record-every-repository");
}

/** The folder a project's own settings and extensions are in. */
export const PROJECT_DIR = ".seam";

/** The project a folder belongs to: the nearest one above with a `.seam` or `.git`, or itself. */
export function projectRoot(cwd: string): string {
  const start = resolve(cwd);
  const { root } = parse(start);
  for (let dir = start; ; dir = dirname(dir)) {
    // The user's own ~/.seam does not make the home folder a project.
    const seam = join(dir, PROJECT_DIR);
    if (existsSync(join(dir, ".git")) || (seam !== seamHome() && existsSync(seam))) return dir;
    if (dir === root) return start;
  }
}

/** Where this package is installed, from whichever of its files this is asked. */
export function packageRoot(): string {
  root ??= findRoot(dirname(fileURLToPath(import.meta.url)));
  return root;
}

/** Known once and for all: while the package is being replaced it could not be found. */
let root: string | undefined;

function findRoot(dir: string): string {
  if (existsSync(join(dir, "package.json")) || dirname(dir) === dir) return dir;
  return findRoot(dirname(dir));
}

export function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
