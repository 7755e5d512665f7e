import type { RunState, Task, TaskState } from "../model/run.ts";
import type { TaskSpec, Workflow } from "../model/workflow.ts";
import { forItems, type Growth, nextRound, planned } from "./added-tasks.ts";
import { holds } from "./condition-holds.ts";
import { GraphView } from "./graph-view.ts";
import { newTask } from "./new-task.ts";
import { canOverlap } from "./overlap.ts";

/** What happens to a task without an agent. */
export interface Settled {
  readonly task: string;
  readonly state: Extract<TaskState, "done" | "failed" | "skipped">;
  readonly reason?: string;
  readonly result?: unknown;
}

/** What is to be done now. All of it was decided from what is there; none of it has happened yet. */
export interface NextSteps {
  readonly add: readonly Task[];
  readonly settle: readonly Settled[];
  readonly start: readonly Task[];
  readonly end?: { readonly state: Extract<RunState, "done" | "failed">; readonly reason?: string };
}

export interface StartLimits {
  /** How many more tasks may start now, beside what the workflow allows. */
  readonly free: number;
}

/** The tasks a run begins with: one for each that the workflow declares. */
export function planTasks(workflow: Workflow, run: string): Task[] {
  return workflow.tasks.map((spec) =>
    newTask(spec, { run, id: spec.id, dependsOn: spec.dependsOn }),
  );
}

/**
 * Says what follows from the state of all tasks; it is called after every change of one. The order
 * in which tasks end does not matter.
 */
export function nextSteps(
  workflow: Workflow,
  tasks: readonly Task[],
  limits: StartLimits,
): NextSteps {
  const now = new Map(tasks.map((task) => [task.id, task]));
  const add: string[] = [];
  const settle = new Map<string, Settled>();
  // Settling one task can settle others; each turn settles or adds at least one, so it ends.
  for (;;) {
    const view = new GraphView(workflow, [...now.values()]);
    const change = firstChange(view);
    if (change === undefined) break;
    if ("add" in change) {
      for (const task of change.add) {
        now.set(task.id, task);
        add.push(task.id);
      }
      continue;
    }
    const { task: id, ...changed } = change;
    const task = now.get(id);
    if (task === undefined) break;
    now.set(id, { ...task, ...changed });
    settle.set(id, change);
  }
  const view = new GraphView(workflow, [...now.values()]);
  const end = endOf(view);
  return {
    add: add.flatMap((id) => now.get(id) ?? []),
    settle: [...settle.values()],
    start: end === undefined ? startable(view, limits) : [],
    ...(end && { end }),
  };
}

type Change = Settled | { readonly add: readonly Task[] };

/** One thing that follows from what is there, if anything does. */
function firstChange(view: GraphView): Change | undefined {
  const stop = stopper(view);
  if (stop !== undefined) {
    const queued = view.tasks.find(({ state }) => state === "queued");
    return queued && skipped(queued, `"${stop.id}" failed, which stops the run`);
  }
  for (const task of view.tasks) {
    const change = task.state === "queued" ? queuedChange(view, task) : endedChange(view, task);
    if (change !== undefined) return change;
  }
  return undefined;
}

function endedChange(view: GraphView, task: Task): Change | undefined {
  const spec = view.specOf(task);
  if (task.state === "done" && spec?.plans && view.groupOf(task).length === 0) {
    return grown(task, planned(view, task));
  }
  switch (view.loopAfter(task)) {
    case "again":
      return { add: nextRound(view, task) };
    case "exhausted": {
      if (task.state === "failed") return undefined;
      const times = (spec?.loop?.times ?? 0) + 1;
      return failed(task, `after ${times} rounds the condition of its loop still does not hold`);
    }
    case "over":
      return undefined;
  }
}

function queuedChange(view: GraphView, task: Task): Change | undefined {
  const [missing] = view.missingFor(task);
  if (missing !== undefined) return failed(task, `it depends on "${missing}", which is not there`);
  const before = view.dependenciesOf(task);
  const broken = before.find((one) => view.standingFor(task, one) === "broken");
  if (broken) return skipped(task, `it depends on "${broken.id}", which ${said(broken)}`);
  if (!isReady(view, task)) return undefined;
  const spec = view.specOf(task);
  if (spec === undefined) return failed(task, "what it has to do is no longer known");
  if (spec.when && !holds(spec.when, view, task)) {
    return skipped(task, "its condition does not hold");
  }
  return isGroup(spec, task) ? groupChange(view, spec, task) : undefined;
}

/** A task with a list has no agent: it stands for the tasks of its items, and ends with them. */
function groupChange(view: GraphView, spec: TaskSpec, task: Task): Change | undefined {
  const group = view.groupOf(task);
  if (group.length === 0) {
    const growth = forItems(view, spec, task);
    if ("add" in growth && growth.add.length === 0)
      return { task: task.id, state: "done", result: [] };
    return grown(task, growth);
  }
  if (group.some((one) => view.standing(one) === "open")) return undefined;
  const lost = group.filter(({ state }) => state === "failed" || state === "cancelled");
  const result = group.map((one) => ({ item: one.item, state: one.state, result: one.result }));
  const reason = `${lost.length} of ${group.length} failed: ${lost.map(({ id }) => id).join(", ")}`;
  if (lost.length === 0) return { task: task.id, state: "done", result };
  const state = spec.onFail === "continue" ? "done" : "failed";
  return { task: task.id, state, reason, result };
}

function grown(task: Task, growth: Growth): Change {
  return "fault" in growth ? failed(task, growth.fault) : growth;
}

const isGroup = (spec: TaskSpec, task: Task) =>
  spec.forEach !== undefined && task.item === undefined;

function isReady(view: GraphView, task: Task): boolean {
  return view.dependenciesOf(task).every((one) => view.standingFor(task, one) === "met");
}

const failed = (task: Task, reason: string): Settled => ({
  task: task.id,
  state: "failed",
  reason,
});
const skipped = (task: Task, reason: string): Settled => ({
  task: task.id,
  state: "skipped",
  reason,
});

/** What broke, in the words that follow "which". */
function said({ state }: Task): string {
  return state === "failed"
    ? "failed"
    : state === "done"
      ? "has tasks that failed"
      : `was ${state}`;
}

/** The first task whose failure stops the run. */
function stopper(view: GraphView): Task | undefined {
  return view.tasks.find((task) => {
    if (task.state !== "failed" || view.isSuperseded(task)) return false;
    if (view.loopAfter(task) === "again") return false;
    return (view.specOf(task)?.onFail ?? "stop") === "stop";
  });
}

const HELD: readonly TaskState[] = ["waiting", "running", "proving", "merging"];
const BUSY: readonly TaskState[] = ["running", "proving", "merging"];

function startable(view: GraphView, { free }: StartLimits): Task[] {
  const held = view.tasks.filter(({ state }) => HELD.includes(state));
  const busy = held.filter(({ state }) => BUSY.includes(state)).length;
  let places = Math.min(free, view.workflow.maxConcurrency - busy);
  const inUse = held.flatMap((task) => filesOf(view, task));
  const start: Task[] = [];
  for (const task of view.tasks) {
    if (places <= 0) break;
    const spec = task.state === "queued" ? view.specOf(task) : undefined;
    if (spec === undefined || isGroup(spec, task) || !isReady(view, task)) continue;
    const files = filesOf(view, task);
    if (canOverlap(files, inUse)) continue;
    inUse.push(...files);
    start.push(task);
    places--;
  }
  return start;
}

/** The files a task may change; those of one that only reads get in nobody's way. */
function filesOf(view: GraphView, task: Task): readonly string[] {
  const spec = view.specOf(task);
  if (spec === undefined || view.workflow.roles[spec.role]?.access === "read") return [];
  return spec.files ?? [];
}

function endOf(view: GraphView): NextSteps["end"] {
  if (view.tasks.some(({ state }) => HELD.includes(state))) return undefined;
  const stop = stopper(view);
  if (stop) return { state: "failed", reason: `"${stop.id}" failed${because(stop)}` };
  const queued = view.tasks.filter(({ state }) => state === "queued");
  if (queued.some((task) => canMove(view, task))) return undefined;
  if (queued.length > 0) {
    const ids = queued.map(({ id }) => id).join(", ");
    return { state: "failed", reason: `these tasks wait for each other: ${ids}` };
  }
  const lost = view.tasks.filter(
    (task) => (task.state === "failed" || task.state === "cancelled") && !view.isSuperseded(task),
  );
  if (lost.length === 0) return { state: "done" };
  const ids = lost.map(
    ({ id, state }) => `${id} ${state === "failed" ? "failed" : "was cancelled"}`,
  );
  return { state: "done", reason: ids.join(", ") };
}

function canMove(view: GraphView, task: Task): boolean {
  const spec = view.specOf(task);
  return spec !== undefined && !isGroup(spec, task) && isReady(view, task);
}

const because = ({ reason }: Task) => (reason === undefined ? "" : `: ${reason}`);
