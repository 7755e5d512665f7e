import { inWords, messageOf, refusal, systemCode } from "../../errors/index.ts";
import type { Run, Task } from "../model/run.ts";
import { setTaskState } from "./advance-run.ts";
import type { CrewContext } from "./crew-context.ts";

/** How every reason ends that is over by itself as soon as the trouble is. */
const TRIES_AGAIN = "Seam tries again by itself.";
const FULL = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/**
 * Does a step of a task. The engine tries one again that failed; whoever looks at the task meanwhile
 * is told why, until the step goes on.
 */
export async function openly<Output>(
  crew: CrewContext,
  task: Task,
  signal: AbortSignal,
  work: () => Promise<Output>,
): Promise<Output> {
  try {
    await takeTroubleBack(crew, task);
    return await work();
  } catch (error) {
    if (!signal.aborted) await showTrouble(crew, task, error);
    throw error;
  }
}

async function showTrouble(crew: CrewContext, task: Task, error: unknown): Promise<void> {
  const reason = `Seam could not go on: ${whatWasWrong(error)} ${TRIES_AGAIN}`;
  try {
    await setTaskState(crew, task, { state: "waiting", reason });
  } catch (failure) {
    // The database may be on the same full disk.
    crew.outside.log(`${task.id}: ${reason} That could not be stored: ${messageOf(failure)}`);
  }
}

/** Not every error of a full disk names the file for which there was no room. */
function whatWasWrong(error: unknown): string {
  const known = refusal(error)?.details;
  if (FULL.has(systemCode(error) ?? "")) {
    const where = known ? ` (${known.path})` : "";
    return `the disk is full${where}. Make space on it.`;
  }
  return `${inWords(error).replace(/\.$/, "")}.`;
}

async function takeTroubleBack(crew: CrewContext, task: Task): Promise<void> {
  if (!isTrouble(task)) return;
  const now = await crew.store.task(task.run, task.id);
  if (now && isTrouble(now)) await setTaskState(crew, task, { state: "running" });
}

const isTrouble = ({ reason }: Task) => reason?.endsWith(TRIES_AGAIN) ?? false;

/** What keeps this machine from going on with any run cannot be stored if its disk is full. */
export function withTrouble({ engine, worker }: CrewContext, run: Run): Run {
  const { trouble } = engine;
  if (run.endedAt !== undefined || run.origin !== worker || trouble === undefined) return run;
  const reason = `Seam cannot go on: ${trouble}. Make sure that it can be written. ${TRIES_AGAIN}`;
  return { ...run, state: "waiting", reason };
}
