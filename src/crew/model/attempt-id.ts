import type { Attempt } from "./run.ts";

/** One word for an attempt, unique on this machine: its processes carry it as SEAM_CREW_ATTEMPT. */
export const attemptId = ({ run, task, number }: Pick<Attempt, "run" | "task" | "number">) =>
  `${run}.${task}.${number}`;
