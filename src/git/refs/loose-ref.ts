import { join } from "node:path";
import { SeamError, systemCode } from "../../errors/index.ts";
import { isObjectId } from "../objects/object-id.ts";
import { linkTarget } from "../repo/find-git-dir.ts";
import type { Repo } from "../repo/repo.ts";
import { readSmall } from "../repo/small-file.ts";

/** What the file of a reference says: an object, or the name of another reference. */
export type RefValue = { readonly id: string } | { readonly target: string };

/** References that every work tree has its own of. */
const PER_WORKTREE = /^(?!refs\/)|^refs\/(bisect|worktree|rewritten)\//;

/** The folder of git's that a reference is kept in. */
export function refHome(repo: Repo, name: string): string {
  return PER_WORKTREE.test(name) ? repo.gitDir : repo.commonDir;
}

export function refFile(repo: Repo, name: string): string {
  return join(refHome(repo, name), name);
}

/** Undefined when there is no such file; it may be packed. Throws when the file is damaged. */
export function readLooseRef(repo: Repo, name: string): RefValue | undefined {
  const path = refFile(repo, name);
  const text = textOf(path);
  if (text === undefined) return undefined;
  const target = /^ref:\s*(\S.*?)\s*$/s.exec(text)?.[1];
  if (target !== undefined) return { target };
  const id = /^\S*/.exec(text)?.[0] ?? "";
  if (isObjectId(id, repo.objectFormat)) return { id };
  throw new SeamError("SEAM_GIT_REF", { ref: name, detail: `the file ${path} is damaged` });
}

function textOf(path: string): string | undefined {
  // Very old repositories have a symbolic link as HEAD.
  const link = linkTarget(path);
  if (link?.startsWith("refs/")) return `ref: ${link}`;
  try {
    return readSmall(path);
  } catch (error) {
    // Folders that are left when their references were packed.
    if (systemCode(error) === "EISDIR") return undefined;
    throw error;
  }
}
