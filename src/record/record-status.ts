import { explain } from "../errors/index.ts";
import { ObjectStore, type Repo, readRef } from "../git/index.ts";
import { checkpointsTip } from "./checkpoint/tip.ts";
import { gitHooksHealth } from "./git-hooks/install.ts";
import { damageOf } from "./history/damage.ts";
import { isMeantByEvery } from "./known-repositories.ts";
import { type RecordProblem, readProblems } from "./problems.ts";
import { knownDamage } from "./repair/find-damage.ts";
import { brokenOff } from "./rewind/rewind.ts";
import { isEnabled, isLeftOut, isRepositoryEnabled, recordRefusal, seamDirOf } from "./seam-dir.ts";
import { lostBy } from "./session/lost-by.ts";
import type { Phase } from "./session/state.ts";
import { StateStore } from "./session/state-store.ts";
import { idsBetween } from "./sync/ids-between.ts";
import { trackingRef } from "./sync/remote.ts";

export interface RecordStatus {
  /** This work tree is recorded. */
  readonly enabled: boolean;
  /** The repository is, in whichever of its work trees. */
  readonly repository: boolean;
  /** `seam disable` was said in this work tree, and others are recorded. */
  readonly leftOut: boolean;
  /** The user wants every repository recorded, and this one will be when an agent works in it. */
  readonly awaited: boolean;
  readonly hooks: Awaited<ReturnType<typeof gitHooksHealth>>;
  /** Sessions that are at work or have files no commit has taken up. */
  readonly sessions: readonly OpenSession[];
  readonly checkpoints: number;
  /** Checkpoints that the remote did not have when it was last asked. */
  readonly unsynced: number;
  /** The remote that was never asked has nothing, as far as is known. */
  readonly synced: boolean;
  /** A rewind of this work tree was broken off. */
  readonly brokenRewind: boolean;
  /** What is wrong with the reference to the checkpoints. */
  readonly damage?: string;
  /** Why this Seam leaves the record alone: a newer one wrote it. Then nothing else is known. */
  readonly refused?: string;
  /** What could not be recorded lately. */
  readonly problems: readonly RecordProblem[];
}

export interface OpenSession {
  readonly session_id: string;
  readonly agent: string;
  readonly phase: Phase;
  readonly work_tree: string;
  readonly last_seen_at: string;
  readonly pending_files: readonly string[];
}

/** How the record of a repository is doing. Reads no checkpoint, only where they are. */
export async function recordStatus(repo: Repo, remote = "origin"): Promise<RecordStatus> {
  const refusal = await recordRefusal(repo, { refs: true });
  if (refusal) return refusedStatus(repo, explain(refusal));
  const store = new ObjectStore(repo);
  try {
    const treeOf = async (finding: Promise<string | undefined>) => {
      const tip = await finding.catch(() => undefined);
      return tip === undefined ? undefined : (await store.info(`${tip}^{tree}`))?.id;
    };
    const ours = await treeOf(checkpointsTip(store));
    const theirs = await treeOf(readRef(repo, trackingRef(remote)));
    const states = new StateStore(seamDirOf(repo));
    const damage = await damageOf({ store });
    return {
      ...whereRecorded(repo),
      hooks: await gitHooksHealth(repo),
      sessions: states.live().map((state) => ({
        session_id: state.session_id,
        agent: state.agent,
        // Nobody may have noticed yet that its agent is dead.
        phase: lostBy(state) ? "ended" : state.phase,
        work_tree: state.work_tree,
        last_seen_at: state.last_seen_at,
        pending_files: Object.keys(state.pending.files),
      })),
      checkpoints: (await idsBetween(store, undefined, ours)).length,
      unsynced: (await idsBetween(store, theirs, ours)).length,
      synced: theirs !== undefined,
      brokenRewind: brokenOff({ repo }) !== undefined,
      ...damageText(damage?.error.message, repo),
      problems: readProblems(seamDirOf(repo)),
    };
  } finally {
    await store.close();
  }
}

async function refusedStatus(repo: Repo, refused: string): Promise<RecordStatus> {
  const nothing = { sessions: [], checkpoints: 0, unsynced: 0, synced: false, problems: [] };
  return {
    ...nothing,
    ...whereRecorded(repo),
    hooks: await gitHooksHealth(repo),
    brokenRewind: false,
    refused,
  };
}

function whereRecorded(
  repo: Repo,
): Pick<RecordStatus, "enabled" | "repository" | "leftOut" | "awaited"> {
  const [enabled, leftOut] = [isEnabled(repo), isLeftOut(repo)];
  const awaited = !enabled && !leftOut && isMeantByEvery(repo);
  return { enabled, repository: isRepositoryEnabled(repo), leftOut, awaited };
}

/** What is wrong with the reference itself, or what the last look at everything it leads to found. */
function damageText(said: string | undefined, repo: Repo): Pick<RecordStatus, "damage"> {
  if (said !== undefined) return { damage: said };
  const known = knownDamage(repo);
  if (known === "") return {};
  return { damage: `A part of the record is gone (${known}). Run: seam doctor --fix` };
}
