import type { CrewContext } from "./crew-context.ts";

/**
 * Whether something of this worker's goes on without a person: an agent at work, a run that goes on, a
 * task that waits for a limit to end or a disk to have room. What waits for an answer does not.
 */
export async function isAnythingMoving({ store, worker }: CrewContext): Promise<boolean> {
  if ((await store.openAttempts()).some((attempt) => attempt.worker === worker)) return true;
  const runs = (await store.runs(["running", "waiting"])).filter(({ origin }) => origin === worker);
  if (runs.some(({ state }) => state === "running")) return true;
  const asked = new Set(
    (await store.openQuestions(worker)).map(({ run, task }) => `${run} ${task}`),
  );
  for (const { id } of runs) {
    const waiting = (await store.tasks(id)).filter(({ state }) => state === "waiting");
    if (waiting.some((task) => !asked.has(`${id} ${task.id}`))) return true;
  }
  return false;
}
