import type { Task } from "../model/run.ts";
import type { TaskSpec, Workflow } from "../model/workflow.ts";
import { valueAt } from "./condition-holds.ts";
import { GraphView } from "./graph-view.ts";

/** So much of one result is put into a prompt; the rest can be asked for. */
const MOST_OF_A_RESULT = 8000;

/** What was declared of a task of a run, in its workflow or in the plan it came from. */
export function specOf(
  workflow: Workflow,
  task: Task,
  tasks: readonly Task[],
): TaskSpec | undefined {
  return new GraphView(workflow, tasks).specOf(task);
}

/**
 * The tasks on whose work and results a task builds: those it depends on, in the last round of
 * their loop, with the tasks of their plans and lists instead of the task that stands for them.
 */
export function sourcesOf(workflow: Workflow, task: Task, tasks: readonly Task[]): Task[] {
  const view = new GraphView(workflow, tasks);
  return view.dependenciesOf(task).flatMap((one) => leaves(view, one, task.group));
}

function leaves(view: GraphView, task: Task, except: string | undefined): Task[] {
  const group = task.id === except ? [] : view.groupOf(task);
  const isList = view.specOf(task)?.forEach !== undefined && task.item === undefined;
  return [...(isList ? [] : [task]), ...group];
}

/** What an agent is told to do: the task, and the results it builds on. */
export function promptOf(
  workflow: Workflow,
  task: Task,
  tasks: readonly Task[],
  goal: string,
): string {
  const view = new GraphView(workflow, tasks);
  const spec = view.specOf(task);
  if (spec === undefined) return goal;
  const shown = new Set<string>();
  const text = spec.prompt.replace(
    /\{(goal|item|results\.([A-Za-z0-9_-]+)((?:\.[A-Za-z0-9_-]+)*))\}/g,
    (whole, name: string, id: string | undefined, path = "") => {
      if (name === "goal") return goal;
      if (name === "item") return task.item ?? whole;
      if (id !== undefined) shown.add(id);
      const value = valueAt(view.instance(id ?? "", task)?.result, path.slice(1));
      return value === undefined ? "(there is no result)" : asText(value);
    },
  );
  const parts = [text.trim()];
  if (!spec.prompt.includes("{goal}")) parts.push(`The goal of the whole run: ${goal}`);
  if (task.item !== undefined && !spec.prompt.includes("{item}")) {
    parts.push(`This task is about: ${task.item}`);
  }
  const results = resultsFor(view, spec, task).filter((one) => !shown.has(one.spec));
  if (results.length > 0)
    parts.push(["# Results of the tasks before", ...results.map(resultText)].join("\n\n"));
  return `${parts.join("\n\n")}\n`;
}

/** The standing part of what an agent is told: its role, and how a crew works. */
export function instructionsOf(workflow: Workflow, task: Task, tasks: readonly Task[]): string {
  const spec = specOf(workflow, task, tasks);
  const role = spec && workflow.roles[spec.role];
  const lines = [
    `You work on the task "${task.title}" of a crew of several agents.`,
    "Nobody watches you work: decide what you can decide, and ask with the tool crew_ask only what only a person can answer.",
    role?.access === "read"
      ? "You only read. Nothing in this folder may be changed; your last answer is your result."
      : "Work only in this folder. It is a work tree of your own; what you leave in it is committed and merged for you.",
    ...(role?.mayPush ? [] : ["Do not push, and do not switch branches."]),
    ...(spec?.sparse
      ? [
          `Of the repository it has only the files at the top and ${spec.sparse.join(", ")}. Everything else is there too, for others.`,
        ]
      : []),
    ...(spec?.files ? [`Change only these files: ${spec.files.join(", ")}.`] : []),
    ...(spec?.verify.length
      ? [`These commands are run after you: ${spec.verify.join("; ")}. They have to pass.`]
      : []),
    ...(spec?.plans ? [planRules(workflow)] : []),
    ...(spec?.result
      ? [
          `End with one JSON value that fits this schema, and nothing after it:\n${JSON.stringify(spec.result)}`,
        ]
      : []),
  ];
  return [role?.instructions.trim(), lines.join("\n")].filter(Boolean).join("\n\n");
}

function planRules({ roles }: Workflow): string {
  const list = Object.values(roles).map(({ name, description }) => `- ${name}: ${description}`);
  return `The roles there are:\n${list.join("\n")}`;
}

function resultsFor(view: GraphView, spec: TaskSpec, task: Task): Task[] {
  const before = view.dependenciesOf(task).flatMap((one) => leaves(view, one, task.group));
  const read = spec.reads.flatMap((id) => view.instance(id, task) ?? []);
  return [...new Set([...before, ...read])].filter(
    ({ id, state, result }) => id !== task.group && (result !== undefined || state === "failed"),
  );
}

function resultText(task: Task): string {
  const head = `## ${task.id}: ${task.title}`;
  if (task.state === "failed")
    return `${head}\n\nIt failed${task.reason ? `: ${task.reason}` : "."}`;
  const text = asText(task.result);
  const cut = text.length > MOST_OF_A_RESULT;
  const rest = cut ? `\n\n(cut; the whole: crew_result with task "${task.id}")` : "";
  return `${head}\n\n${cut ? text.slice(0, MOST_OF_A_RESULT) : text}${rest}`;
}

const asText = (value: unknown) =>
  typeof value === "string" ? value.trim() : JSON.stringify(value, null, 2);
