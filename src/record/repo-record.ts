import { ObjectStore, type Repo } from "../git/index.ts";
import type { Log } from "./keeper.ts";
import { seamDirOf } from "./seam-dir.ts";
import { StateStore } from "./session/state-store.ts";

/** Everything kept about one work tree, with what has to stay open for it to be quick. */
export interface RepoRecord {
  readonly repo: Repo;
  readonly store: ObjectStore;
  /** Of all work trees of the repository. */
  readonly states: StateStore;
  /** For what turns out later, when nobody waits any more. */
  readonly log?: Log;
}

export function openRepoRecord(
  repo: Repo,
  states = new StateStore(seamDirOf(repo)),
  log?: Log,
): RepoRecord {
  return { repo, store: new ObjectStore(repo), states, ...(log && { log }) };
}
