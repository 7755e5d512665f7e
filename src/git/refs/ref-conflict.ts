import { readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { SeamError, systemCode } from "../../errors/index.ts";
import type { Repo } from "../repo/repo.ts";
import { listPackedRefs, readPackedRef } from "./packed-refs.ts";

/**
 * A reference is a file, so there cannot be `a` and `a/b`. Files see to it by themselves; packed
 * references have to be looked through.
 */
export function checkPackedConflict(repo: Repo, name: string): void {
  const parts = name.split("/");
  for (let length = 2; length < parts.length; length++) {
    const parent = parts.slice(0, length).join("/");
    if (readPackedRef(repo, parent) !== undefined) throw refConflict(name, parent);
  }
  const [child] = listPackedRefs(repo, `${name}/`).keys();
  if (child !== undefined) throw refConflict(name, child);
}

export function refConflict(ref: string, other: string): SeamError {
  return new SeamError("SEAM_GIT_REF", { ref, detail: `${other} is in its way` });
}

/** Removes folders that deleted references have left. False when something is in them. */
export function removeEmptyFolders(path: string): boolean {
  try {
    for (const name of readdirSync(path)) {
      if (!removeEmptyFolders(join(path, name))) return false;
    }
    rmdirSync(path);
    return true;
  } catch (error) {
    return systemCode(error) === "ENOENT";
  }
}
