import { loopMembers } from "../model/ancestry.ts";
import type { Task } from "../model/run.ts";
import type { TaskSpec, Workflow } from "../model/workflow.ts";
import { holds } from "./condition-holds.ts";
import { checkPlan } from "./plan.ts";

/** How a task stands to those that depend on it. */
export type Standing = "open" | "met" | "broken";

interface Loop {
  readonly last: TaskSpec;
  readonly members: ReadonlySet<string>;
}

/** A run's tasks together with what was declared of them. */
export class GraphView {
  readonly workflow: Workflow;
  readonly tasks: readonly Task[];
  readonly #byId: ReadonlyMap<string, Task>;
  readonly #inGroup = new Map<string, Task[]>();
  readonly #latest = new Map<string, Task>();
  readonly #specs: ReadonlyMap<string, TaskSpec>;
  readonly #planned = new Map<string, ReadonlyMap<string, TaskSpec>>();
  readonly #loops: readonly Loop[];
  readonly #standings = new Map<string, Standing>();

  constructor(workflow: Workflow, tasks: readonly Task[]) {
    this.workflow = workflow;
    this.tasks = tasks;
    this.#byId = new Map(tasks.map((task) => [task.id, task]));
    this.#specs = new Map(workflow.tasks.map((spec) => [spec.id, spec]));
    for (const task of tasks) {
      if (task.group !== undefined) {
        this.#inGroup.set(task.group, [...(this.#inGroup.get(task.group) ?? []), task]);
      } else if (roundOf(task) >= roundOf(this.#latest.get(task.spec))) {
        this.#latest.set(task.spec, task);
      }
    }
    this.#loops = workflow.tasks.flatMap((last) =>
      last.loop ? [{ last, members: loopMembers(last.id, last.loop.backTo, workflow.tasks) }] : [],
    );
  }

  task(id: string): Task | undefined {
    return this.#byId.get(id);
  }

  /** The tasks that a plan or a list brought in. */
  groupOf(task: Task): readonly Task[] {
    return this.#inGroup.get(task.id) ?? [];
  }

  /** What was declared of a task, in the workflow or in the plan it came from, for its own item. */
  specOf(task: Task): TaskSpec | undefined {
    const spec = this.#declared(task);
    if (spec?.files === undefined || task.item === undefined) return spec;
    const item = task.item;
    return { ...spec, files: spec.files.map((glob) => glob.replaceAll("{item}", item)) };
  }

  #declared(task: Task): TaskSpec | undefined {
    const brought = task.group === undefined ? undefined : this.#byId.get(task.group);
    if (brought === undefined || brought.spec === task.spec) return this.#specs.get(task.spec);
    let planned = this.#planned.get(brought.id);
    if (planned === undefined) {
      const { tasks = [] } = checkPlan(brought.result, this.workflow);
      planned = new Map(tasks.map((spec) => [spec.id, spec]));
      this.#planned.set(brought.id, planned);
    }
    return planned.get(task.spec);
  }

  /** The loop a declared task is part of, if any. */
  loopAround(spec: string): Loop | undefined {
    return this.#loops.find(({ members }) => members.has(spec));
  }

  /** A declared task as one that runs in the given round of a loop sees it, or as everybody else does. */
  instance(spec: string, asker?: Task): Task | undefined {
    const loop = this.loopAround(spec);
    const own = asker === undefined ? undefined : this.#topOf(asker);
    if (loop === undefined || own === undefined || !loop.members.has(own.spec)) {
      return this.#latest.get(spec);
    }
    return this.tasks.find(
      (task) => task.spec === spec && task.group === undefined && roundOf(task) === roundOf(own),
    );
  }

  /** The tasks a task waits for, as they are now: the latest round of a loop, and the loop's end. */
  dependenciesOf(task: Task): Task[] {
    const own = this.#topOf(task);
    const found = new Set<Task>();
    for (const id of task.dependsOn) {
      const named = this.#byId.get(id);
      if (named === undefined) continue;
      const loop = named.group === undefined ? this.loopAround(named.spec) : undefined;
      if (loop === undefined || (own !== undefined && loop.members.has(own.spec))) {
        found.add(named);
        continue;
      }
      // What a loop made counts when the loop is over, in its last round.
      for (const spec of [named.spec, loop.last.id]) {
        const latest = this.#latest.get(spec);
        if (latest !== undefined) found.add(latest);
      }
    }
    return [...found];
  }

  /** The dependencies that are not in the graph: nothing can ever end them. */
  missingFor(task: Task): string[] {
    return task.dependsOn.filter((id) => !this.#byId.has(id));
  }

  /** Whether a loop ran it again since. */
  isSuperseded(task: Task): boolean {
    return task.group === undefined && this.#latest.get(task.spec) !== task;
  }

  /** What still has to happen to a loop after this task, which is its last in this round. */
  loopAfter(task: Task): "again" | "exhausted" | "over" {
    const loop = this.specOf(task)?.loop;
    if (loop === undefined || task.group !== undefined) return "over";
    if (task.state !== "done" && task.state !== "failed") return "over";
    if (this.isSuperseded(task)) return "over";
    if (holds(loop.until, this, task)) return "over";
    return roundOf(task) <= loop.times ? "again" : "exhausted";
  }

  /** How a dependency of a task stands to it. A planned task waits for the plan, not for all planned. */
  standingFor(task: Task, dependency: Task): Standing {
    if (dependency.id !== task.group) return this.standing(dependency);
    return dependency.state === "done" ? "met" : "broken";
  }

  standing(task: Task): Standing {
    const known = this.#standings.get(task.id);
    if (known !== undefined) return known;
    // A circle cannot be in a checked graph; in an unchecked one it stays open instead of recursing.
    this.#standings.set(task.id, "open");
    const standing = this.#judge(task);
    this.#standings.set(task.id, standing);
    return standing;
  }

  #judge(task: Task): Standing {
    const spec = this.specOf(task);
    switch (task.state) {
      case "done":
        if (this.loopAfter(task) !== "over") return "open";
        return spec?.plans ? this.#together(this.groupOf(task)) : "met";
      case "failed":
        if (this.loopAfter(task) === "again") return "open";
        return spec?.onFail === "continue" ? "met" : "broken";
      case "cancelled":
        return "broken";
      case "skipped":
        // One that its own condition left out does not keep those after it from starting.
        return this.dependenciesOf(task).some((one) => this.standingFor(task, one) === "broken")
          ? "broken"
          : "met";
      default:
        return "open";
    }
  }

  #together(tasks: readonly Task[]): Standing {
    const standings = tasks.map((task) => this.standing(task));
    if (standings.includes("open")) return "open";
    return standings.includes("broken") ? "broken" : "met";
  }

  /** The task of the workflow itself that a task belongs to. */
  #topOf(task: Task): Task | undefined {
    return task.group === undefined ? task : this.#byId.get(task.group);
  }
}

export const roundOf = (task: Task | undefined) => task?.round ?? (task ? 1 : 0);
