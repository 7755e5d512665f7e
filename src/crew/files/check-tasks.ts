import { nearest } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import { ancestorsOf, cycleIn, loopMembers } from "../model/ancestry.ts";
import type { Condition, TaskSpec } from "../model/workflow.ts";
import type { DeclaredTask } from "./declared-task.ts";
import type { WorkflowProblems } from "./problem.ts";

/** What a prompt can have in braces beside results. */
const PLACES = ["goal", "item"];

/** Says what is wrong with looking at a task, or at a part of its result. */
type Look = (name: string, key: string, what: string, path?: string, orItself?: boolean) => void;

/** What can only be seen when all tasks are there: order, circles, loops, and what looks at what. */
export function checkTasks(
  declared: readonly DeclaredTask[],
  specs: readonly TaskSpec[],
  problems: WorkflowProblems,
): void {
  const cycle = cycleIn(specs);
  if (cycle) {
    const line = declared.find(({ id }) => id === cycle[0])?.line("dependsOn");
    problems.error(line, `These tasks wait for each other: ${cycle.join(" → ")}.`);
    return;
  }
  const ids = specs.map(({ id }) => id);
  for (const [at, spec] of specs.entries()) {
    const task = declared[at];
    if (task === undefined) continue;
    const before = ancestorsOf(spec.id, specs);
    const look: Look = (name, key, what, path = "", orItself = false) => {
      const target = specs.find(({ id }) => id === name);
      // A task for each item of a list has one result for each, and a plan may say more than it has to.
      const isOpen = target?.forEach !== undefined || target?.plans === true;
      const unknown = isOpen ? undefined : partNotIn(target?.result, path);
      if (!ids.includes(name)) {
        problems.error(
          task.line(key),
          `${what} looks at "${name}", which is not a task.`,
          name,
          ids,
        );
      } else if (!before.has(name) && !(orItself && name === spec.id)) {
        problems.error(
          task.line(key),
          `${what} looks at "${name}", which need not have ended: add it to "dependsOn".`,
        );
      } else if (unknown) {
        const { part, known } = unknown;
        const place = key === "" ? `has {results.${name}.${path}}` : `looks at "${name}.${path}"`;
        const text = `${what} ${place}, and the result of "${name}" has no "${part}".`;
        problems.error(task.line(key), text, part, known);
      }
    };
    if (spec.when) look(spec.when.task, "when", "The condition", spec.when.path);
    if (typeof spec.forEach === "string") {
      const [name = "", ...path] = spec.forEach.split(".");
      look(name, "forEach", "The list", path.join("."));
    }
    for (const id of spec.reads) look(id, "reads", '"reads"');
    for (const { name, path } of resultsIn(spec.prompt)) {
      if (!ids.includes(name)) {
        problems.error(
          task.line(),
          `The prompt has {results.${name}}, and there is no task "${name}".`,
          name,
          ids,
        );
      } else look(name, "", "The prompt", path);
    }
    for (const [whole, word = ""] of spec.prompt.matchAll(/\{([a-z]+)\}/gi)) {
      if (PLACES.includes(word) || nearest(word, PLACES) === undefined) continue;
      problems.warn(
        task.line(),
        `The prompt has ${whole}, which stands for nothing.`,
        word,
        PLACES,
      );
    }
    if (spec.prompt.includes("{item}") && spec.forEach === undefined) {
      problems.error(task.line(), 'The prompt has {item}, and the task has no "forEach".');
    }
    if (spec.forEach !== undefined && spec.plans) {
      problems.error(task.line("forEach"), 'A task with "plans" cannot have "forEach".');
    }
    checkLoop(spec, task, specs, before, look, problems);
  }
  checkApart(declared, specs, problems);
}

function checkLoop(
  { id, loop, forEach, plans }: TaskSpec,
  task: DeclaredTask,
  specs: readonly TaskSpec[],
  before: ReadonlySet<string>,
  look: Look,
  problems: WorkflowProblems,
): void {
  if (loop === undefined) return;
  const line = task.line("loop");
  if (forEach !== undefined || plans) {
    problems.error(
      line,
      "A loop ends with one task: put it on the task that looks at what was done.",
    );
  }
  if (loop.backTo !== id && !before.has(loop.backTo)) {
    const ids = specs.map((spec) => spec.id);
    problems.error(
      line,
      `The loop goes back to "${loop.backTo}", which does not come before "${id}".`,
      loop.backTo,
      ids,
    );
    return;
  }
  look(loop.until.task, "loop", "The loop", loop.until.path, true);
  checkChanges(loop.until, id, loop.backTo, specs, line, problems);
}

/** A condition about a task outside of the loop never changes: the loop would only run out. */
function checkChanges(
  { task }: Condition,
  last: string,
  backTo: string,
  specs: readonly TaskSpec[],
  line: number,
  problems: WorkflowProblems,
): void {
  if (loopMembers(last, backTo, specs).has(task) || !specs.some(({ id }) => id === task)) return;
  problems.error(line, `The loop waits for "${task}", which it does not run again.`);
}

/** A task in two loops would have two rounds at once. */
function checkApart(
  declared: readonly DeclaredTask[],
  specs: readonly TaskSpec[],
  problems: WorkflowProblems,
): void {
  const inLoop = new Map<string, string>();
  for (const { id, loop } of specs) {
    if (loop === undefined) continue;
    for (const member of loopMembers(id, loop.backTo, specs)) {
      const other = inLoop.get(member);
      if (other !== undefined) {
        const line = declared.find((task) => task.id === id)?.line("loop");
        problems.error(line, `The loops of "${other}" and "${id}" share the task "${member}".`);
        break;
      }
      inLoop.set(member, id);
    }
  }
}

function resultsIn(prompt: string): { readonly name: string; readonly path: string }[] {
  const places = prompt.matchAll(/\{results\.([A-Za-z0-9_-]+)(?:\.([\w.-]+))?[^}]*\}/g);
  return [...places].map(([, name = "", path = ""]) => ({ name, path }));
}

/** The first part of a way into a result that its schema does not know, and what it knows there. */
function partNotIn(
  schema: unknown,
  path: string,
): { readonly part: string; readonly known: readonly string[] } | undefined {
  let at = schema;
  for (const part of path.split(".").filter(Boolean)) {
    // A schema that lets other fields through says nothing about this one.
    if (!isRecord(at) || !isRecord(at.properties) || at.additionalProperties !== false)
      return undefined;
    if (!Object.hasOwn(at.properties, part)) return { part, known: Object.keys(at.properties) };
    at = at.properties[part];
  }
  return undefined;
}
