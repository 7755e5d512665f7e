import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../errors/index.ts";
import { endCommands } from "../commands/left-processes.ts";
import type { Attempt, Run } from "../model/run.ts";
import { type CrewContext, crewFolder } from "./crew-context.ts";

/** Whoever cancels a run waits so long for its agents to be gone. */
const END_MS = 15_000;
const LOOK_MS = 20;

/**
 * Waits until nothing of a run that was cancelled is at work on this machine, and gives its folders
 * back. Agents and checks are ended by the steps that wait for them, but nobody waits for a check of
 * a daemon that was killed, nor works in the folder of a task that waits for a person.
 */
export async function putAway(crew: CrewContext, run: Run): Promise<void> {
  const isOpen = (attempt: Attempt) => attempt.run === run.id && attempt.worker === crew.worker;
  const deadline = Date.now() + END_MS;
  while ((await crew.store.openAttempts()).some(isOpen) && Date.now() < deadline) {
    await sleep(LOOK_MS);
  }
  await endCommands({ path: join(crewFolder(crew.home), "runs", run.id) });
  try {
    const pool = await crew.repositories.poolFor(run);
    await pool.reconcile((id) => id !== run.id);
  } catch (error) {
    crew.outside.log(`the folders of ${run.id} were not given back: ${messageOf(error)}`);
  }
}
