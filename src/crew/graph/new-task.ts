import { taskBranch } from "../../record/index.ts";
import type { Task } from "../model/run.ts";
import type { TaskSpec } from "../model/workflow.ts";

interface Place {
  readonly run: string;
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly title?: string;
  readonly item?: string;
  readonly group?: string;
  readonly round?: number;
}

/** A task that nothing has happened to yet. */
export function newTask(spec: TaskSpec, { run, id, dependsOn, title, ...rest }: Place): Task {
  return {
    run,
    id,
    spec: spec.id,
    title: title ?? spec.title,
    state: "queued",
    dependsOn,
    branch: taskBranch(run, id),
    use: { tokens: 0, minutes: 0, turns: 0 },
    ...rest,
  };
}
