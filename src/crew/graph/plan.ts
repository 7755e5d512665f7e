import { type Static, Type } from "typebox";
import { mismatch, nearest } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import { cycleIn } from "../model/ancestry.ts";
import { MOST_TASKS } from "../model/plan-schema.ts";
import { isTaskId, taskIdOf } from "../model/task-id.ts";
import type { TaskSpec, Workflow } from "../model/workflow.ts";

const PlannedTask = Type.Object({
  id: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  role: Type.String(),
  task: Type.String({ minLength: 1 }),
  dependsOn: Type.Optional(Type.Array(Type.String())),
  files: Type.Optional(Type.Array(Type.String())),
});
type PlannedTask = Static<typeof PlannedTask>;

const Plan = Type.Object({ tasks: Type.Array(PlannedTask) });
const PhasedPlan = Type.Object({
  phases: Type.Array(Type.Object({ tasks: Type.Array(PlannedTask) })),
});

export interface CheckedPlan {
  readonly tasks?: readonly TaskSpec[];
  /** What is wrong with it, in sentences that can go back to the planner. */
  readonly problems: readonly string[];
}

/** The tasks that a planner's result declares, or why they cannot join the graph. */
export function checkPlan(result: unknown, workflow: Workflow): CheckedPlan {
  const value = typeof result === "string" ? jsonIn(result) : result;
  if (value === undefined) return { problems: ["The plan is not JSON."] };
  const { planned, fault } = tasksOf(value);
  if (fault !== undefined) return { problems: [fault] };
  if (planned.length === 0) return { problems: ["The plan has no tasks."] };
  if (planned.length > MOST_TASKS) {
    return { problems: [`The plan has ${planned.length} tasks; ${MOST_TASKS} are the most.`] };
  }
  const tasks = planned.map((one) => specFrom(one, workflow));
  const problems = [...problemsOf(planned, tasks, workflow)];
  return problems.length > 0 ? { problems } : { tasks, problems };
}

interface Named extends PlannedTask {
  readonly id: string;
}

function tasksOf(value: unknown): { planned: Named[]; fault?: string } {
  if (isRecord(value) && "phases" in value) {
    const fault = mismatch(PhasedPlan, value);
    if (fault !== undefined) return { planned: [], fault: `The plan does not fit: ${fault}.` };
    return { planned: phased(value as Static<typeof PhasedPlan>) };
  }
  const fault = mismatch(Plan, value);
  if (fault !== undefined) return { planned: [], fault: `The plan does not fit: ${fault}.` };
  return { planned: named((value as Static<typeof Plan>).tasks, new Set()) };
}

/** pi-crew's plans have phases; each task of a phase waits for all of the phase before. */
function phased({ phases }: Static<typeof PhasedPlan>): Named[] {
  const taken = new Set<string>();
  let before: readonly string[] = [];
  return phases.flatMap(({ tasks }) => {
    const dependsOn = before;
    const phase = named(tasks, taken).map((task) => ({ ...task, dependsOn: [...dependsOn] }));
    if (phase.length > 0) before = phase.map(({ id }) => id);
    return phase;
  });
}

/** A task without an id gets one of its title; two of one title get numbers. */
function named(tasks: readonly PlannedTask[], taken: Set<string>): Named[] {
  return tasks.map((task) => {
    if (task.id !== undefined) {
      taken.add(task.id);
      return { ...task, id: task.id };
    }
    const base = taskIdOf(task.title ?? task.role) ?? "task";
    let id = base;
    for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
    taken.add(id);
    return { ...task, id };
  });
}

function specFrom(
  { id, title, role, task, dependsOn = [], files = [] }: Named,
  workflow: Workflow,
): TaskSpec {
  const access = workflow.roles[role]?.access ?? "read";
  return {
    id,
    title: title?.trim() || id,
    role,
    prompt: task,
    agents: [],
    dependsOn,
    reads: [],
    onFail: "stop",
    plans: false,
    // Commands never come out of a plan: Seam runs them outside of every gate.
    verify: access === "write" ? workflow.verify : [],
    ...(files.length > 0 && { files }),
    budget: {},
    approve: false,
    expects: access === "write" ? "change" : "result",
    stallMinutes: Math.max(...workflow.tasks.map(({ stallMinutes }) => stallMinutes), 1),
  };
}

function* problemsOf(
  planned: readonly Named[],
  tasks: readonly TaskSpec[],
  workflow: Workflow,
): Generator<string> {
  const ids = new Set<string>();
  for (const { id } of planned) {
    if (!isTaskId(id)) yield `"${id}" is not an id: letters, digits and dashes only.`;
    if (ids.has(id)) yield `Two tasks are called "${id}".`;
    if (workflow.tasks.some((task) => task.id === id)) {
      yield `"${id}" is a task of the workflow already.`;
    }
    ids.add(id);
  }
  for (const { id, role, dependsOn = [] } of planned) {
    if (!Object.hasOwn(workflow.roles, role)) {
      yield `Task "${id}" has the role "${role}", which is not there${meant(role, Object.keys(workflow.roles))}`;
    }
    for (const other of dependsOn) {
      if (!ids.has(other))
        yield `Task "${id}" depends on "${other}", which is not there${meant(other, ids)}`;
    }
  }
  const cycle = cycleIn(tasks);
  if (cycle) yield `These tasks wait for each other: ${cycle.join(" → ")}.`;
}

function meant(word: string, candidates: Iterable<string>): string {
  const close = nearest(word, candidates);
  return close === undefined ? "." : `. Did you mean "${close}"?`;
}

const MARKED = /ADAPTIVE_PLAN_JSON_START([\s\S]*?)ADAPTIVE_PLAN_JSON_END/;
const FENCED = /```(?:json)?[ \t]*\n([\s\S]*?)```/;

/** Agents without typed results put the JSON somewhere into their answer. */
function jsonIn(text: string): unknown {
  const whole = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const part of [text, MARKED.exec(text)?.[1], FENCED.exec(text)?.[1], whole]) {
    if (part === undefined) continue;
    try {
      return JSON.parse(part);
    } catch {
      // The next place is tried.
    }
  }
  return undefined;
}

/** A plan as people are shown it before its tasks join the graph. */
export function planText(result: unknown, workflow: Workflow): string {
  const { tasks = [], problems } = checkPlan(result, workflow);
  if (problems.length > 0) return problems.join("\n");
  return tasks
    .map(({ id, title, role, dependsOn, files, prompt }) => {
      const after = dependsOn.length > 0 ? `, after ${dependsOn.join(", ")}` : "";
      const where = files ? `\n  may change ${files.join(", ")}` : "";
      return `${id} (${role}${after}): ${title}${where}\n  ${prompt.trim().split("\n").join("\n  ")}`;
    })
    .join("\n\n");
}
