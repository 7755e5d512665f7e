import type { TaskSpec } from "../model/workflow.ts";
import type { DeclaredTask } from "./declared-task.ts";
import type { WorkflowProblems } from "./problem.ts";

/** Finds tasks by what a workflow calls them: their id, their heading, their group, what they leave. */
export class TaskNames {
  readonly #byName = new Map<string, string>();
  readonly #groups = new Map<string, string[]>();
  readonly #outputs = new Map<string, string>();
  readonly #problems: WorkflowProblems;

  constructor(tasks: readonly DeclaredTask[], problems: WorkflowProblems) {
    this.#problems = problems;
    const lines = new Map<string, number>();
    for (const task of tasks) {
      const { id, heading, parallelGroup, output } = task;
      const before = lines.get(id);
      if (before !== undefined) {
        problems.error(task.line(), `The task "${id}" is there already, in line ${before}.`);
        continue;
      }
      lines.set(id, task.line());
      this.#byName.set(heading, id);
      this.#byName.set(id, id);
      if (output !== undefined) this.#outputs.set(output, id);
      if (parallelGroup !== undefined) {
        this.#groups.set(parallelGroup, [...(this.#groups.get(parallelGroup) ?? []), id]);
      }
    }
  }

  id(name: string): string | undefined {
    return this.#byName.get(name);
  }

  get all(): string[] {
    return [...this.#byName.keys()];
  }

  /** A dependency on a group is one on each of its tasks. */
  dependencies(task: DeclaredTask): string[] {
    const found = task.dependsOn.flatMap((name) => {
      const id = this.#byName.get(name);
      if (id !== undefined) return [id];
      const group = this.#groups.get(name);
      if (group) return group.filter((one) => one !== task.id);
      const known = [...this.all, ...this.#groups.keys()];
      this.#problems.error(
        task.line("dependsOn"),
        `There is no task "${name}" to depend on.`,
        name,
        known,
      );
      return [];
    });
    return [...new Set(found)];
  }

  /** What a task reads: results of other tasks, by what they leave, and files. */
  reads({ reads }: DeclaredTask): { readonly tasks: string[]; readonly paths: string[] } {
    const tasks: string[] = [];
    const paths: string[] = [];
    for (const name of reads) {
      const id = this.#outputs.get(name) ?? this.#byName.get(name);
      if (id === undefined) paths.push(name);
      else tasks.push(id);
    }
    return { tasks, paths };
  }

  /** A list of items, or the task and the way to the list in its result. */
  items({ forEach, line }: DeclaredTask): TaskSpec["forEach"] {
    if (forEach === undefined) return undefined;
    const [only = "", ...others] = forEach;
    const [task = "", ...path] = only.split(".");
    const id = others.length === 0 ? this.#byName.get(task) : undefined;
    if (id !== undefined) return [id, ...path].join(".");
    if (
      others.length === 0 &&
      /^[A-Za-z][\w-]*(\.[A-Za-z]\w*)+$/.test(only) &&
      !hasExtension(only)
    ) {
      this.#problems.error(
        line("forEach"),
        `There is no task "${task}" whose result could be the list.`,
        task,
        this.all,
      );
    }
    if (forEach.length === 0) this.#problems.error(line("forEach"), '"forEach" has no items.');
    return forEach;
  }
}

/** "plan.files" is a result, "main.ts" is one item. */
const hasExtension = (name: string) => /\.(\w{1,3}|json|html|toml|yaml)$/.test(name);
