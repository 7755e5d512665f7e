import { join } from "node:path";

/** A repository as seen from one of its work trees. Plain data: nothing is held open. */
export interface Repo {
  /** Absolute; of this work tree alone: HEAD and index are here. */
  readonly gitDir: string;
  /** Absolute; shared by all work trees: objects and refs are here. */
  readonly commonDir: string;
  /** Undefined when the repository is bare. */
  readonly workTree: string | undefined;
  /** The name under `worktrees/`, "" for the main work tree. */
  readonly worktreeId: string;
  readonly objectFormat: ObjectFormat;
  readonly refFormat: RefFormat;
  readonly isShallow: boolean;
  readonly isSparse: boolean;
  /** A partial clone: objects may be missing on purpose, and are never fetched by Seam. */
  readonly isPartial: boolean;
  /** `core.sharedRepository`: others need rights to what is written. */
  readonly isShared: boolean;
}

export type ObjectFormat = "sha1" | "sha256";
export type RefFormat = "files" | "reftable";

export const objectsDir = (repo: Repo) => join(repo.commonDir, "objects");

/** Arguments that make git work on this repository, wherever it is started. */
export const atRepo = (repo: Repo) => ["--git-dir", repo.gitDir];
