import type { CrewEvent } from "../../daemon/index.ts";
import { specOf } from "../graph/prompt.ts";
import type { Attempt, Run, Task } from "../model/run.ts";
import { addUses, NO_USE } from "../policy/budget.ts";
import type { CrewContext } from "./crew-context.ts";
import { isOver } from "./crew-store.ts";

/** What extensions hear of runs and tasks, and where they can say no. */

const ofRun = ({ id, goal, workflow }: Run) => ({ run: id, goal, workflow: workflow.name });

/** Why a run must not begin; undefined: it may. */
export async function refusedStart(
  { outside }: CrewContext,
  run: Run,
): Promise<string | undefined> {
  const tasks = run.workflow.tasks.map(({ id, role, verify }) => ({
    id,
    role,
    verify: [...verify],
  }));
  const event = { type: "crew_run_start", ...ofRun(run), tasks } as const;
  return (await outside.fire(run.repository, event))?.reason;
}

export async function tellRunEnd({ store, outside }: CrewContext, run: Run): Promise<void> {
  const { state, reason } = run;
  if (state === "running" || state === "waiting") return;
  const use = addUses([NO_USE, ...(await store.attempts(run.id)).map((attempt) => attempt.use)]);
  const why = reason === undefined || reason === "" ? {} : { reason };
  void outside.fire(run.repository, { type: "crew_run_end", ...ofRun(run), state, ...why, use });
}

/** Why an agent must not begin with a task; undefined: it may. */
export async function refusedTask(
  { outside }: CrewContext,
  run: Run,
  task: Task,
  {
    role,
    agent,
    model,
    attempt,
  }: Pick<Attempt, "agent" | "model"> & { role: string; attempt: number },
): Promise<string | undefined> {
  const refused = await outside.fire(run.repository, {
    type: "crew_task_start",
    run: run.id,
    task: task.id,
    title: task.title,
    role,
    agent,
    ...(model !== undefined && { model }),
    attempt,
  });
  return refused?.reason;
}

export async function tellTaskEnd({ store, outside }: CrewContext, task: Task): Promise<void> {
  const { run: id, state, reason, result, use, title } = task;
  const run = await store.run(id);
  if (!run || !isOver(task)) return;
  if (state !== "done" && state !== "failed" && state !== "skipped" && state !== "cancelled")
    return;
  const role = specOf(run.workflow, task, await store.tasks(id))?.role ?? "";
  void outside.fire(run.repository, {
    type: "crew_task_end",
    run: id,
    task: task.id,
    title,
    role,
    state,
    ...(reason !== undefined && { reason }),
    ...(result !== undefined && { result }),
    use,
  });
}

/** Why work must not be merged without a person; undefined: it may. */
export async function refusedMerge(
  { outside }: CrewContext,
  run: Run,
  task: Task,
  { commit, changed }: { readonly commit: string; readonly changed: readonly string[] },
): Promise<string | undefined> {
  const refused = await outside.fire(run.repository, {
    type: "crew_merge",
    run: run.id,
    tasks: [task.id],
    target: run.target,
    commit,
    files: [...changed],
  });
  return refused?.reason;
}

/** Tells that a budget is nearly or wholly used up. */
export function tellBudget(
  { outside }: CrewContext,
  run: Pick<Run, "id" | "repository">,
  { id, use }: Pick<Task, "id" | "use">,
  { of, state, text }: Pick<BudgetEvent, "of" | "state" | "text">,
): void {
  const about = { run: run.id, ...(of === "task" && { task: id }) };
  void outside.fire(run.repository, { type: "crew_budget", ...about, of, state, text, use });
}

type BudgetEvent = Extract<CrewEvent, { type: "crew_budget" }>;

/** Why a message must not be delivered; undefined: it may. */
export async function refusedMessage(
  { store, outside }: CrewContext,
  message: {
    readonly run: string;
    readonly from: string;
    readonly to: string;
    readonly text: string;
  },
): Promise<string | undefined> {
  const run = await store.run(message.run);
  if (!run) return undefined;
  return (await outside.fire(run.repository, { type: "crew_message", ...message }))?.reason;
}
