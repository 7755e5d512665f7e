import { ObjectStore, type Repo } from "../git/index.ts";
import type { Log, SecretRemover } from "./recording-context.ts";
import { seamDirOf } from "./seam-dir.ts";
import { secretRemover } from "./secret-remover.ts";
import { StateStore } from "./session/state-store.ts";
import { SecretSearch } from "./snapshot/secret-search.ts";
import type { Bounds } from "./snapshot/work-tree.ts";

/** Everything kept about one work tree, with what has to stay open for it to be quick. */
export interface RepoRecord {
  readonly repo: Repo;
  readonly store: ObjectStore;
  /** Of all work trees of the repository. */
  readonly states: StateStore;
  /** Keeps files with secrets out of snapshots. */
  readonly secrets: SecretSearch;
  /** For what turns out later, when nobody waits any more. */
  readonly log?: Log;
  /** How much of what git does not track snapshots hold, if not the usual. */
  readonly bounds?: Bounds | undefined;
}

export function openRepoRecord(
  repo: Repo,
  states = new StateStore(seamDirOf(repo)),
  log?: Log,
  redactor: Pick<SecretRemover, "text"> = secretRemover(log ?? (() => {}), repo.workTree),
): RepoRecord {
  const secrets = new SecretSearch(redactor);
  return { repo, store: new ObjectStore(repo), states, secrets, ...(log && { log }) };
}
