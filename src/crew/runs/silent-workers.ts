import type { Attempt, Run, Task } from "../model/run.ts";
import type { CrewContext } from "./crew-context.ts";
import { silentWorkers } from "./join-workers.ts";

/**
 * The tasks of a run for a pool as people are shown them: where the machine at work has not been heard of
 * for a while, that is what a task waits for, and what can be done about it.
 */
export async function withSilentWorkers(
  { store, worker }: Pick<CrewContext, "store" | "worker">,
  { pool }: Pick<Run, "pool">,
  tasks: readonly Task[],
  attempts: readonly Attempt[],
): Promise<readonly Task[]> {
  if (pool === undefined) return tasks;
  const silent = await silentWorkers(store.database);
  return tasks.map((task) => {
    const open = attempts.findLast((one) => one.task === task.id && one.end === undefined);
    const minutes = open && open.worker !== worker ? silent.get(open.worker) : undefined;
    if (task.state !== "running" || open === undefined || minutes === undefined) return task;
    const long = minutes === 1 ? "a minute" : `${minutes} minutes`;
    const reason = `${open.worker} has not been heard of for ${long}. Another machine can take it over: seam crew worker --pool ${pool}`;
    return { ...task, reason };
  });
}
