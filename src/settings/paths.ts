import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { realTarget } from "../files/index.ts";

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

/** Whether a folder is the user's own, by whichever links one comes to it. */
export function isSeamHome(folder: string): boolean {
  return folder === seamHome() || realOf(folder) === realOf(seamHome());
}

/** The one name of a folder, by whichever links one came. */
export function realOf(path: string): string {
  try {
    return realTarget(path);
  } catch {
    // Links that lead to each other: there is nothing at their end.
    return resolve(path);
  }
}

/** Where this package is installed, from whichever of its files this is asked. */
export function packageRoot(): string {
  root ??= findRoot(dirname(fileURLToPath(import.meta.url)));
  return root;
}

/** The folder is looked up once: it cannot be found while the package is being replaced. */
let root: string | undefined;

/** Folders of a build may have a `package.json` too, which says nothing but the kind of their modules. */
function findRoot(dir: string): string {
  if (packageIn(dir).version !== undefined || dirname(dir) === dir) return dir;
  return findRoot(dirname(dir));
}

export function packageVersion(): string {
  return packageIn(packageRoot()).version ?? "unknown";
}

function packageIn(dir: string): { readonly version?: string } {
  const file = join(dir, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version?: string }) : {};
}

/**
 * What the daemon's process is called, where the system lets a process choose: a command that ends
 * every `node` of an agent's own is not meant for it.
 */
export const DAEMON_TITLE = "seam-daemon";
