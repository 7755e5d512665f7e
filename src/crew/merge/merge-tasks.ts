import { SeamError } from "../../errors/index.ts";
import { openRepo, type Repo, readRef } from "../../git/index.ts";
import { commitOf } from "../history/commits.ts";
import type { Proof } from "../model/run.ts";
import { advance } from "./advance.ts";
import { candidateOf, type Landed, type TaskCommit, type TaskConflict } from "./candidate.ts";

export interface MergeRequest {
  /** Any folder of the repository. */
  readonly repository: string;
  readonly run: string;
  /** The branch that takes the work, without `refs/heads/`; made if it is not there. */
  readonly target: string;
  /** Where the target begins if it is not there. */
  readonly base: string;
  /** In the order in which they are merged. */
  readonly tasks: readonly TaskCommit[];
  /** Runs the commands on a candidate. The target moves only to what passed. */
  readonly prove: (commit: string) => Promise<Proof>;
}

export interface MergeOutcome {
  readonly landed: readonly Landed[];
  readonly conflicts: readonly TaskConflict[];
  /** Tasks that fit and whose candidate did not pass, each alone upon those that landed. */
  readonly red: readonly { readonly task: string; readonly proof: Proof }[];
}

/** So often others may move the target while a candidate is proved. */
const MOST_TRIES = 10;

/**
 * Merges tasks into the target without a checkout: all together if their candidate passes, otherwise
 * each half by itself, the second upon what came of the first, down to the tasks that do not pass
 * alone. Good ones land, whatever the others are. Whoever is ended in between has moved the target
 * or not: to merge again is to go on. Nothing is deleted.
 */
export async function mergeTasks(request: MergeRequest): Promise<MergeOutcome> {
  const repo = await openRepo(request.repository);
  if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: request.repository });
  const outcome: Outcome = { landed: [], conflicts: [], red: [] };
  if (request.tasks.length > 0) await mergeBatch(repo, request, request.tasks, outcome);
  return outcome;
}

interface Outcome {
  landed: Landed[];
  conflicts: TaskConflict[];
  red: { task: string; proof: Proof }[];
}

async function mergeBatch(
  repo: Repo,
  request: MergeRequest,
  tasks: readonly TaskCommit[],
  outcome: Outcome,
): Promise<void> {
  const { target, run, base } = request;
  const ref = `refs/heads/${target}`;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const from = await readRef(repo, ref);
    const start = from ?? (await commitOf(repo, base));
    const { tip, merged, conflicts } = await candidateOf(repo, start, tasks, run);
    if (tip !== start) {
      const proof = await request.prove(tip);
      if (!proof.passed) {
        outcome.conflicts.push(...conflicts);
        const fitting = tasks.filter(({ task }) => merged.some((one) => one.task === task));
        return splitUp(repo, request, fitting, proof, outcome);
      }
    }
    if (tip !== from) {
      const message = `seam: ${merged.map(({ task }) => task).join(", ")}`;
      const moved = await advance(repo, { branch: target, from, to: tip, message });
      if (moved.kind === "lost") continue;
      if (moved.kind === "held") throw held(target, moved.path, moved.reason);
    }
    outcome.landed.push(...merged);
    outcome.conflicts.push(...conflicts);
    return;
  }
  throw new SeamError("SEAM_CREW_TARGET_BUSY", { ref });
}

async function splitUp(
  repo: Repo,
  request: MergeRequest,
  tasks: readonly TaskCommit[],
  proof: Proof,
  outcome: Outcome,
): Promise<void> {
  if (tasks.length === 1) {
    outcome.red.push(...tasks.map(({ task }) => ({ task, proof })));
    return;
  }
  const half = Math.ceil(tasks.length / 2);
  await mergeBatch(repo, request, tasks.slice(0, half), outcome);
  await mergeBatch(repo, request, tasks.slice(half), outcome);
}

function held(branch: string, path: string, detail: string): SeamError {
  const hint = `Commit or stash what is changed there, or switch to another branch: git -C ${path} switch -`;
  return new SeamError("SEAM_CREW_TARGET_HELD", { branch, path, detail, hint });
}
