import { messageOf } from "../../errors/index.ts";
import type { Flow } from "../engine/engine.ts";
import { nextSteps } from "../graph/next-steps.ts";
import type { Run, Task } from "../model/run.ts";
import { addUses } from "../policy/budget.ts";
import { bringMerged } from "./bring-merged.ts";
import { type CrewContext, happened, runKey, runSignal, taskKey } from "./crew-context.ts";
import { tellRunEnd, tellTaskEnd } from "./crew-hooks.ts";
import { isOver } from "./crew-store.ts";
import { landByItself } from "./land-run.ts";
import { dropEnvironment } from "./run-environment.ts";

/** The engine keeps every step of a flow in memory: a long run goes on in a new flow. */
const MOST_LOOKS = 200;

/** The flow of a run: looks at the graph after every change, until there is nothing more to do. */
export async function runFlow(crew: CrewContext, flow: Flow, id: string): Promise<void> {
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const isEnded = await flow.step(`look ${look}`, () => advance(crew, id));
    if (isEnded) return;
    await flow.wait(`news ${look}`, runSignal(id));
  }
  await flow.step("go on", async () => {
    await beginFlow(crew, id);
    return null;
  });
}

/** Starts the next flow of a run. */
export async function beginFlow(crew: CrewContext, id: string): Promise<void> {
  const run = await crew.store.changeRun(id, (now) => ({ ...now, flows: now.flows + 1 }));
  if (run) await ensureRunFlow(crew, run);
}

export async function ensureRunFlow({ engine }: CrewContext, run: Run): Promise<void> {
  const place = { worker: run.origin, ...(run.pool !== undefined && { pool: run.pool }) };
  await engine.start("run", runKey(run.id, run.flows), run.id, place);
}

/** Does everything that follows from what is there. True if the run is over. */
async function advance(crew: CrewContext, id: string): Promise<boolean> {
  const { store } = crew;
  const run = await store.run(id);
  if (!run || run.state === "cancelled") return true;
  await failLostTasks(crew, run);
  const next = nextSteps(run.workflow, await store.tasks(id), { free: Number.POSITIVE_INFINITY });
  await store.addTasks(id, next.add);
  for (const { task, ...settled } of next.settle) {
    const changed = await store.changeTask(id, task, (now) => ({ ...now, ...settled, ...ended() }));
    if (changed) await tellTask(crew, changed);
  }
  for (const { id: task } of next.start) await startTask(crew, run, task);
  await ensureTaskFlows(crew, run);
  if (!next.end) {
    await showState(crew, id);
    return false;
  }
  const { state } = next.end;
  // Whoever lands it brings it again, and hears of what is in the way.
  await bringMerged(crew, run).catch((error: unknown) => crew.outside.log(messageOf(error)));
  const { landed, reason = next.end.reason } =
    state === "done" ? await landByItself(crew, run) : {};
  const over = await store.changeRun(id, (now) =>
    now.state === "cancelled"
      ? undefined
      : { ...now, state, ...ended(), reason: reason ?? "", ...(landed && { landed }) },
  );
  if (over) {
    dropEnvironment(crew.home, id);
    await tellRunEnd(crew, over);
    await happened(crew, { run: id, kind: "run", state, text: reason ?? `The run is ${state}.` });
  }
  return true;
}

async function startTask(crew: CrewContext, run: Run, id: string): Promise<void> {
  const { pool } = run;
  // Whether anybody works for a pool shows when a worker takes the task.
  const reason = `No worker has taken it yet: seam crew worker --pool ${pool}`;
  const begun = { state: "running", ...(pool !== undefined && { reason }) } as const;
  const task = await crew.store.changeTask(run.id, id, (now) =>
    now.state === "queued"
      ? { ...now, ...begun, startedAt: now.startedAt ?? new Date().toISOString() }
      : undefined,
  );
  if (task) await tellTask(crew, task);
}

/** A task that was marked as started has a flow, also if the daemon was killed between the two. */
async function ensureTaskFlows(crew: CrewContext, run: Run): Promise<void> {
  const known = new Set((await crew.engine.list(`task:${run.id}/`)).map(({ key }) => key));
  for (const task of await crew.store.tasks(run.id)) {
    const key = taskKey(run.id, task.id, task.retries);
    if (task.state === "queued" || isOver(task) || known.has(key)) continue;
    const place = run.pool === undefined ? { worker: run.origin } : { pool: run.pool };
    await crew.engine.start("task", key, { run: run.id, task: task.id }, place);
  }
}

/** A flow that the engine gave up cannot end its task itself. */
async function failLostTasks(crew: CrewContext, run: Run): Promise<void> {
  const lost = (await crew.engine.list(`task:${run.id}/`)).filter(
    ({ state }) => state === "failed",
  );
  for (const { key, error } of lost) {
    const tasks = await crew.store.tasks(run.id);
    const task = tasks.find((one) => taskKey(run.id, one.id, one.retries) === key && !isOver(one));
    if (!task) continue;
    const reason = `Seam could not go on with it: ${error ?? "nobody knows why"}`;
    await endTask(crew, task, { state: "failed", reason });
  }
}

/** Ends a task in one way or another, and wakes the run. */
export async function endTask(
  crew: CrewContext,
  { run, id }: Pick<Task, "run" | "id">,
  end: Partial<Task> & Pick<Task, "state">,
): Promise<void> {
  const uses = (await crew.store.attempts(run, id)).map(({ use }) => use);
  const task = await crew.store.changeTask(run, id, (now) => {
    // The reason for which it waited is not the reason for its end, so it is dropped.
    const { reason: _, ...rest } = now;
    if (now.state === "cancelled") return undefined;
    return { ...rest, ...end, ...ended(), use: addUses(uses) };
  });
  if (task) await tellTask(crew, task);
  await crew.engine.signal(runSignal(run));
}

/** Sets what a task is doing, unless it was cancelled meanwhile. */
export async function setTaskState(
  crew: CrewContext,
  { run, id }: Pick<Task, "run" | "id">,
  change: Partial<Task> & Pick<Task, "state">,
): Promise<void> {
  let isNew = false;
  const task = await crew.store.changeTask(run, id, (now) => {
    isNew = now.state !== change.state || now.reason !== change.reason;
    // What it waited for is no longer true when it goes on.
    const { reason: _, ...rest } = now;
    return isOver(now) ? undefined : { ...rest, ...change };
  });
  if (!task || !isNew) return;
  await tellTask(crew, task);
  // A waiting task does not take up a place.
  if (change.state === "waiting") await crew.engine.signal(runSignal(run));
  else await showState(crew, run);
}

async function tellTask(crew: CrewContext, task: Task): Promise<void> {
  const { run, id, state, reason } = task;
  await tellTaskEnd(crew, task);
  const text = reason === undefined ? `${id} is ${state}` : `${id} is ${state}: ${reason}`;
  await happened(crew, { run, task: id, kind: "task", state, text });
}

/** A run in which nothing moves but which is not over waits for somebody. */
async function showState(crew: CrewContext, id: string): Promise<void> {
  const tasks = await crew.store.tasks(id);
  const isBusy = tasks.some(({ state }) => ["running", "proving", "merging"].includes(state));
  const waiting = tasks.find(({ state }) => state === "waiting");
  const state = !isBusy && waiting ? "waiting" : "running";
  const reason = state === "waiting" ? waiting?.reason : undefined;
  const changed = await crew.store.changeRun(id, (now) => {
    if (now.endedAt !== undefined || (now.state === state && now.reason === reason))
      return undefined;
    const { reason: _, ...rest } = now;
    return { ...rest, state, ...(reason !== undefined && { reason }) };
  });
  if (changed) await happened(crew, { run: id, kind: "run", state, text: `The run is ${state}.` });
}

const ended = () => ({ endedAt: new Date().toISOString() });
