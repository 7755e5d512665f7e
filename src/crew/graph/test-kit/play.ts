import type { Task, TaskState } from "../../model/run.ts";
import type { Workflow } from "../../model/workflow.ts";
import { type NextSteps, nextSteps, planTasks } from "../next-steps.ts";

export type Ending = Pick<Task, "state"> & Partial<Pick<Task, "result" | "reason">>;

export interface Played {
  readonly tasks: readonly Task[];
  readonly end: NextSteps["end"];
  /** In which order tasks were started, and how many ran at most at once. */
  readonly started: readonly string[];
  readonly most: number;
}

/** More steps than any test needs: a run that takes them never ends. */
const MOST_STEPS = 5000;

/**
 * Plays a run without agents: `ending` says how each task ends, `pick` which of those that run ends
 * next. Everything that nextSteps says is done as the engine would.
 */
export function play(
  workflow: Workflow,
  ending: (task: Task, all: readonly Task[]) => Ending = () => ({ state: "done" }),
  pick: (running: readonly Task[]) => number = () => 0,
  onStart: (task: Task, all: readonly Task[]) => void = () => {},
): Played {
  const tasks = new Map(planTasks(workflow, "r1").map((task) => [task.id, task]));
  const all = () => [...tasks.values()];
  const started: string[] = [];
  let most = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    const { add, settle, start, end } = nextSteps(workflow, all(), { free: 100 });
    for (const task of add) tasks.set(task.id, task);
    for (const { task, ...changed } of settle) change(tasks, task, changed);
    if (end) return { tasks: all(), end, started, most };
    for (const task of start) {
      onStart(task, all());
      started.push(task.id);
      change(tasks, task.id, { state: "running" });
    }
    const running = all().filter(({ state }) => state === "running");
    most = Math.max(most, running.length);
    if (running.length === 0) throw new Error(`Nothing runs and nothing ends: ${states(all())}`);
    const next = running[pick(running) % running.length];
    if (next) change(tasks, next.id, ending(next, all()));
  }
  throw new Error(`It does not end: ${states(all())}`);
}

function change(tasks: Map<string, Task>, id: string, changed: Partial<Task>): void {
  const task = tasks.get(id);
  if (!task) throw new Error(`There is no task ${id}.`);
  tasks.set(id, { ...task, ...changed });
}

/** "a done, b failed" */
export const states = (tasks: readonly Task[]) =>
  tasks.map(({ id, state }) => `${id} ${state}`).join(", ");

export const stateOf = (tasks: readonly Task[], id: string): TaskState | undefined =>
  tasks.find((one) => one.id === id)?.state;
