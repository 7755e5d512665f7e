import { sep } from "node:path";
import { realTarget } from "./real-target.ts";

/** Whether a path is in a folder, at whatever depth. Only names are compared: links are not followed. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The same, or the folder itself. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}

/**
 * Where a path of a folder really is, if links on the way lead out of that folder; undefined if they
 * do not. What somebody else put into a folder must not send anyone to another place.
 */
export function leadsOutside(path: string, folder: string): string | undefined {
  const top = realTarget(folder);
  const real = realTarget(path);
  return isInside(real, top) ? undefined : real;
}
