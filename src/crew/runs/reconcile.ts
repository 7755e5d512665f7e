import { messageOf } from "../../errors/index.ts";
import { attemptId } from "../model/attempt-id.ts";
import type { Attempt } from "../model/run.ts";
import { endAttempt } from "../workers/index.ts";
import type { WorkspacePool } from "../workspaces/workspace-pool.ts";
import { ensureRunFlow } from "./advance-run.ts";
import { type CrewContext, PLACE_SIGNAL } from "./crew-context.ts";
import { isOver } from "./crew-store.ts";
import { ensureTarget } from "./ensure-target.ts";
import { markedProcesses } from "./marked-processes.ts";
import { dropEnvironment } from "./run-environment.ts";
import { surroundingsOf } from "./try-task.ts";

/**
 * Makes rows, workspaces and processes agree again after this worker was ended at any moment: a run
 * that is not over has its flow, an attempt whose task is over has no process, and a folder that
 * nobody wants any more is given back. What is under way is joined by its flow.
 */
export async function reconcile(crew: CrewContext): Promise<void> {
  const { store, worker } = crew;
  for (const run of await store.runs(["running", "waiting"])) {
    if (run.origin !== worker) continue;
    // A repository that was deleted or made anew hinders its own runs alone.
    await trying(crew, `the run ${run.id}`, () => ensureTarget(crew, run));
    await ensureRunFlow(crew, run);
  }
  for (const { id, endedAt } of await store.runs()) {
    if (endedAt !== undefined) dropEnvironment(crew.home, id);
  }
  for (const attempt of await store.openAttempts()) {
    if (attempt.worker !== worker) continue;
    await trying(crew, attemptId(attempt), () => endIfOver(crew, attempt));
  }
  await endOrphans(crew);
  await giveBackFolders(crew);
  await crew.engine.signal(PLACE_SIGNAL);
}

async function trying(crew: CrewContext, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    crew.outside.log(`${what} could not be brought in order: ${messageOf(error)}`);
  }
}

async function giveBackFolders(crew: CrewContext): Promise<void> {
  const runs = await crew.store.runs();
  const wanted = new Set<string>();
  for (const { id, endedAt } of runs) {
    if (endedAt !== undefined) continue;
    for (const task of await crew.store.tasks(id)) {
      if (!isOver(task)) wanted.add(`${id} ${task.id}`);
    }
  }
  const pools = new Set<WorkspacePool>();
  for (const run of runs) {
    await trying(crew, run.id, async () => void pools.add(await crew.repositories.poolFor(run)));
  }
  for (const pool of pools) {
    await trying(crew, "a folder of a crew", async () => {
      for (const { error, task } of await pool.reconcile((run, id) => wanted.has(`${run} ${id}`))) {
        if (error !== undefined) crew.outside.log(`the folder of ${task}: ${messageOf(error)}`);
      }
    });
  }
}

/**
 * Ends what still works for attempts of this worker that are over: another machine took their tasks over
 * while it was gone, and their agents have not heard of that.
 */
async function endOrphans(crew: CrewContext): Promise<void> {
  for (const id of new Set(markedProcesses(crew.home).map(({ attempt }) => attempt))) {
    const [run = ""] = id.split(".");
    const attempt = (await crew.store.attempts(run)).find((one) => attemptId(one) === id);
    // Of what nobody here knows nobody here can say that it is over.
    if (attempt?.end === undefined || attempt.worker !== crew.worker) continue;
    const { folder } = attempt;
    await trying(crew, id, () => endAttempt({ id, folder }, "Its task is over."));
  }
}

async function endIfOver(crew: CrewContext, attempt: Attempt): Promise<void> {
  const around = await surroundingsOf(crew, attempt.run, attempt.task);
  if (around && !isOver(around.task)) return;
  const { folder } = attempt;
  const reason = "Its task is over.";
  await endAttempt({ id: attemptId(attempt), folder }, reason);
  const end = { kind: "ended", reason } as const;
  await crew.store.endAttempt(attempt, end);
}
