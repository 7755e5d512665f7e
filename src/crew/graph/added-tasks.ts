import { MOST_TASKS } from "../model/plan-schema.ts";
import type { Task } from "../model/run.ts";
import type { TaskSpec } from "../model/workflow.ts";
import { valueAt } from "./condition-holds.ts";
import { type GraphView, roundOf } from "./graph-view.ts";
import { newTask } from "./new-task.ts";
import { checkPlan } from "./plan.ts";

/** Tasks that join the graph, or why they cannot. */
export type Growth = { readonly add: readonly Task[] } | { readonly fault: string };

/** The next round of the loop that ends with this task. */
export function nextRound(view: GraphView, last: Task): readonly Task[] {
  const loop = view.loopAround(last.spec);
  if (loop === undefined) return [];
  const round = roundOf(last) + 1;
  const idOf = (spec: string) => `${spec}.r${round}`;
  const backTo = loop.last.loop?.backTo;
  return view.workflow.tasks
    .filter(({ id }) => loop.members.has(id))
    .map((spec) => {
      const inRound = spec.dependsOn.map((id) => (loop.members.has(id) ? idOf(id) : id));
      const dependsOn = spec.id === backTo ? [...inRound, last.id] : inRound;
      return newTask(spec, { run: last.run, id: idOf(spec.id), dependsOn, round });
    });
}

/** The tasks of a planner's result. */
export function planned(view: GraphView, planner: Task): Growth {
  const { tasks, problems } = checkPlan(planner.result, view.workflow);
  if (tasks === undefined) return { fault: problems.join(" ") };
  const round = roundOf(planner);
  // Another plan, or this one in an earlier round of a loop, may have used the same names.
  const isTaken = tasks.some(
    ({ id }) => view.task(round > 1 ? `${id}.r${round}` : id) !== undefined,
  );
  const idOf = (id: string) =>
    isTaken ? `${planner.id}.${id}` : round > 1 ? `${id}.r${round}` : id;
  return limited(
    view,
    tasks.map((spec) =>
      newTask(spec, {
        run: planner.run,
        id: idOf(spec.id),
        dependsOn: [planner.id, ...spec.dependsOn.map(idOf)],
        group: planner.id,
      }),
    ),
  );
}

/** One task for each item of the list of a task that is ready to start. */
export function forItems(view: GraphView, spec: TaskSpec, task: Task): Growth {
  const items = itemsOf(view, spec, task);
  if (!Array.isArray(items)) return { fault: `${spec.forEach} is not a list.` };
  const add = items.map((item, at) => {
    const text = typeof item === "string" ? item : JSON.stringify(item);
    const title = `${spec.title}: ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`;
    return newTask(spec, {
      run: task.run,
      id: `${task.id}.${at + 1}`,
      dependsOn: task.dependsOn,
      title,
      item: text,
      group: task.id,
    });
  });
  return limited(view, add);
}

function itemsOf(view: GraphView, { forEach }: TaskSpec, task: Task): unknown {
  if (typeof forEach !== "string") return forEach;
  const [id = "", ...path] = forEach.split(".");
  return valueAt(view.instance(id, task)?.result, path.join("."));
}

function limited(view: GraphView, add: readonly Task[]): Growth {
  const count = view.tasks.length + add.length;
  if (count <= MOST_TASKS) return { add };
  return { fault: `That would be ${count} tasks in one run; ${MOST_TASKS} are the most.` };
}
