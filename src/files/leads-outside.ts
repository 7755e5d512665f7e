import { isInside } from "./is-inside.ts";
import { realTarget } from "./real-target.ts";

/**
 * Where a path of a folder really is, if links on the way lead out of that folder; undefined if they
 * do not. What somebody else put into a folder must not send anyone to another place.
 */
export function leadsOutside(path: string, folder: string): string | undefined {
  const top = realTarget(folder);
  const real = realTarget(path);
  return isInside(real, top) ? undefined : real;
}
