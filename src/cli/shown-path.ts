import { homedir } from "node:os";
import { isAbsolute, relative, sep } from "node:path";
import { pathBeforeCopy } from "../settings/index.ts";

/** A path as a person would write it: from here, or from home; of a copy, where it was copied from. */
export function shownPath(given: string, cwd = process.cwd()): string {
  const path = pathBeforeCopy(given) ?? given;
  const fromHere = relative(cwd, path);
  if (fromHere === "") return ".";
  if (!fromHere.startsWith("..") && !isAbsolute(fromHere)) return fromHere;
  return shownFolder(path);
}

/** A project or repository among others: also the one the user is in is called by its name. */
export function shownFolder(path: string): string {
  const home = homedir() + sep;
  return path.startsWith(home) ? `~/${path.slice(home.length)}` : path;
}
