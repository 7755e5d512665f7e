import { attemptId } from "../model/attempt-id.ts";
import { lives, processIn } from "../workers/index.ts";
import type { CrewContext } from "./crew-context.ts";
import { type Leftovers, leftovers } from "./leftovers.ts";
import { markedProcesses } from "./marked-processes.ts";

/** How crews are on this machine: what waits, and what is not as it should be. */
export interface CheckUp {
  readonly running: number;
  /** Runs that wait for a person, a limit or a place. */
  readonly waiting: readonly { readonly run: string; readonly reason: string }[];
  /** Processes of attempts that are over. */
  readonly orphans: readonly { readonly pid: number; readonly attempt: string }[];
  /** Attempts that count as under way and have no process. */
  readonly lost: readonly string[];
  /** Branches and worktrees of runs that are over. */
  readonly left: readonly Leftovers[];
}

export async function checkUp(crew: CrewContext): Promise<CheckUp> {
  const { store, worker, home } = crew;
  const runs = (await store.runs(["running", "waiting"])).filter(({ origin }) => origin === worker);
  const open = (await store.openAttempts()).filter((attempt) => attempt.worker === worker);
  const ids = new Set(open.map(attemptId));
  return {
    running: runs.filter(({ state }) => state === "running").length,
    waiting: runs
      .filter(({ state }) => state === "waiting")
      .map(({ id, reason = "" }) => ({ run: id, reason })),
    orphans: markedProcesses(home).filter(({ attempt }) => !ids.has(attempt)),
    lost: open
      .filter(({ folder, pid }) => {
        const named = processIn(folder);
        return pid !== undefined && named !== undefined && !lives(named);
      })
      .map(attemptId),
    left: await leftovers(crew),
  };
}
