import { homedir } from "node:os";
import { isAbsolute, relative, sep } from "node:path";

/** A path as a person would write it: from here, or from home. */
export function shownPath(path: string, cwd = process.cwd()): string {
  const fromHere = relative(cwd, path);
  if (fromHere === "") return ".";
  if (!fromHere.startsWith("..") && !isAbsolute(fromHere)) return fromHere;
  const home = homedir() + sep;
  return path.startsWith(home) ? `~/${path.slice(home.length)}` : path;
}
