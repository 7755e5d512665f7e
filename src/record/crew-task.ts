import { trailersOf } from "../git/index.ts";

/** The branch on which the work of a crew's task is. It tells whoever sees it whose it is. */
export const taskBranch = (run: string, task: string) => `seam/tasks/${run}/${task}`;

export interface CrewTask {
  readonly run: string;
  readonly task: string;
}

/** The task of a crew that a branch belongs to; undefined: it is no crew's. */
export function crewTaskOf(branch: string | undefined): CrewTask | undefined {
  const [, run, task] = /^seam\/tasks\/([^/]+)\/([^/]+)$/.exec(branch ?? "") ?? [];
  return run === undefined || task === undefined ? undefined : { run, task };
}

/** Lines at the end of a merge's message that name the run and the task whose work it brings in. */
export const RUN_TRAILER = "Seam-Run";
export const TASK_TRAILER = "Seam-Task";

/** The task of a crew that a merge brought in, as its message says; undefined: it is no crew's. */
export function crewTaskIn(message: string): CrewTask | undefined {
  const [run] = trailersOf(message, RUN_TRAILER);
  const [task] = trailersOf(message, TASK_TRAILER);
  return run === undefined || task === undefined ? undefined : { run, task };
}
