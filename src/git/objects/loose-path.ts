import { join } from "node:path";
import { objectsDir, type Repo } from "../repo/repo.ts";
import { statOf } from "../repo/small-file.ts";

/** Where the file of an object is, if it has one of its own. */
export function loosePath(repo: Repo, id: string): string {
  return join(objectsDir(repo), id.slice(0, 2), id.slice(2));
}

/** A power cut can leave an empty file: it counts as not there, and is written again. */
export function looseHas(repo: Repo, id: string): boolean {
  return (statOf(loosePath(repo, id))?.size ?? 0) > 0;
}
