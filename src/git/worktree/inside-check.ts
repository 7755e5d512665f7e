import type { RawPath } from "../paths/raw-path.ts";
import { lstatOf } from "../repo/small-file.ts";
import { workPath } from "./work-path.ts";

/**
 * Tells whether a path belongs to this work tree: no folder on the way is a link, which would lead
 * elsewhere, or has a repository of its own, whose files are not this one's. Every folder is looked
 * at once.
 */
export function insideCheck(workTree: string): (path: RawPath) => boolean {
  const known = new Map<string, boolean>();
  const isOurs = (folder: string): boolean => {
    if (folder === "") return true;
    let answer = known.get(folder);
    if (answer === undefined) {
      answer = isOurs(parentOf(folder)) && isPlainFolder(workTree, folder as RawPath);
      known.set(folder, answer);
    }
    return answer;
  };
  return (path) => isOurs(parentOf(path));
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** One that is gone is fine: then what was in it is gone too. */
function isPlainFolder(workTree: string, folder: RawPath): boolean {
  const at = (path: string) => lstatOf(workPath(workTree, path as RawPath));
  return !at(folder)?.isSymbolicLink() && at(`${folder}/.git`) === undefined;
}
