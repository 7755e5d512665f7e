import { messageOf } from "../../errors/index.ts";
import type { CrewContext } from "./crew-context.ts";
import { placeOf } from "./judge-work.ts";
import type { Surroundings } from "./try-task.ts";

/**
 * Gives a task's folder back to the pool. What is in it is saved on the task's branch first.
 * `savedAs`: the commit that has all of it, where nobody was in it since.
 */
export async function releaseWorkspace(
  crew: CrewContext,
  around: Surroundings,
  savedAs?: string,
): Promise<void> {
  const { run, task } = around;
  const attempts = await crew.store.attempts(run.id, task.id);
  if (!attempts.some(({ workspace }) => workspace !== undefined)) return;
  try {
    const pool = await crew.repositories.poolFor(run);
    const base = `refs/heads/${run.target}`;
    await pool.release(await pool.take({ ...placeOf(around), base }), savedAs);
  } catch (error) {
    crew.outside.log(`the folder of ${task.id} was not given back: ${messageOf(error)}`);
  }
}
