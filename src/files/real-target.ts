import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Linux follows this many links before it gives up. */
const MAX_LINKS = 40;

/**
 * The path behind all symbolic links, also for a file that is yet to be created and for a link
 * whose target is missing. Synchronous, so that callers queue up in the order they called.
 */
export function realTarget(path: string): string {
  let current = resolve(path);
  for (let links = 0; links < MAX_LINKS; links++) {
    const real = attempt(() => realpathSync.native(current));
    if (real !== undefined) return real;
    const folder = dirname(current);
    if (folder === current) return current;
    const inRealFolder = join(realTarget(folder), basename(current));
    const link = attempt(() => readlinkSync(inRealFolder));
    if (link === undefined) return inRealFolder;
    current = resolve(dirname(inRealFolder), link);
  }
  throw new Error(`Cannot resolve ${path}: its symbolic links form a loop.`);
}

function attempt(lookUp: () => string): string | undefined {
  try {
    return lookUp();
  } catch {
    return undefined;
  }
}
