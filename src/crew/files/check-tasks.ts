import { ancestorsOf, cycleIn, loopMembers } from "../model/ancestry.ts";
import type { Condition, TaskSpec } from "../model/workflow.ts";
import type { DeclaredTask } from "./declared-task.ts";
import type { Problems } from "./problem.ts";

/** What can only be seen when all tasks are there: order, circles, loops, and what looks at what. */
export function checkTasks(
  declared: readonly DeclaredTask[],
  specs: readonly TaskSpec[],
  problems: Problems,
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
    const look = (name: string, key: string, what: string, orItself = false) => {
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
      }
    };
    if (spec.when) look(spec.when.task, "when", "The condition");
    if (typeof spec.forEach === "string")
      look(spec.forEach.split(".")[0] ?? "", "forEach", "The list");
    for (const id of spec.reads) look(id, "reads", '"reads"');
    for (const name of resultsIn(spec.prompt)) {
      if (!ids.includes(name)) {
        problems.error(
          task.line(),
          `The prompt has {results.${name}}, and there is no task "${name}".`,
          name,
          ids,
        );
      } else look(name, "", `{results.${name}}`, false);
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
  look: (name: string, key: string, what: string, orItself?: boolean) => void,
  problems: Problems,
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
  look(loop.until.task, "loop", "The loop", true);
  checkChanges(loop.until, id, loop.backTo, specs, line, problems);
}

/** A condition about a task outside of the loop never changes: the loop would only run out. */
function checkChanges(
  { task }: Condition,
  last: string,
  backTo: string,
  specs: readonly TaskSpec[],
  line: number,
  problems: Problems,
): void {
  if (loopMembers(last, backTo, specs).has(task) || !specs.some(({ id }) => id === task)) return;
  problems.error(line, `The loop waits for "${task}", which it does not run again.`);
}

/** A task in two loops would have two rounds at once. */
function checkApart(
  declared: readonly DeclaredTask[],
  specs: readonly TaskSpec[],
  problems: Problems,
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

function resultsIn(prompt: string): string[] {
  return [...prompt.matchAll(/\{results\.([A-Za-z0-9_-]+)[^}]*\}/g)].map(([, name]) => name ?? "");
}
