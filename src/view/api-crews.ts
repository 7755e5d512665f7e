import { Type } from "typebox";
import type { CrewMessage, CrewQuestion, Run, Task, Use } from "../crew/index.ts";

/**
 * What the page and its server say about crews.
 *
 * | request | answer |
 * |---|---|
 * | GET api/crews | Crews |
 * | GET api/crew?run | CrewRun |
 * | POST api/crew/cancel, api/crew/resume (RunRef) | {} |
 * | POST api/crew/retry (TaskRef) | {} |
 */

const text = Type.String({ minLength: 1, maxLength: 200 });
export const RunRefSchema = Type.Object({ run: text }, { additionalProperties: false });
export const TaskRefSchema = Type.Object(
  { run: text, task: text },
  { additionalProperties: false },
);

/** A run in the list. */
export interface CrewCard
  extends Pick<
    Run,
    "id" | "goal" | "state" | "reason" | "repository" | "target" | "startedAt" | "endedAt"
  > {
  readonly workflow: string;
}

export interface Crews {
  /** Newest first. */
  readonly runs: readonly CrewCard[];
}

/** A run with everything that the page shows of it. */
export interface CrewRun extends CrewCard {
  readonly budget: Run["budget"];
  readonly use: Use;
  readonly tasks: readonly CrewTask[];
  readonly questions: readonly CrewQuestion[];
  /** Oldest first. */
  readonly messages: readonly CrewMessage[];
}

export interface CrewTask
  extends Pick<
    Task,
    | "id"
    | "title"
    | "state"
    | "reason"
    | "dependsOn"
    | "item"
    | "group"
    | "round"
    | "commit"
    | "mergedAs"
    | "use"
    | "startedAt"
    | "endedAt"
  > {
  readonly role?: string;
  /** What it returned, as text; cut if it is long. */
  readonly result?: string;
  readonly attempts: readonly CrewAttempt[];
  readonly proofs: readonly CrewProof[];
}

export interface CrewAttempt {
  readonly number: number;
  readonly agent: string;
  /** As people call the agent. */
  readonly agentType: string;
  readonly model?: string;
  /** The session of the record it is. */
  readonly session?: string;
  readonly use: Use;
  /** Absent: it still runs. */
  readonly end?: { readonly kind: string; readonly reason?: string };
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** What Seam saw when it ran the commands itself. */
export interface CrewProof {
  /** On the task's own work, or on what the merge would make. */
  readonly place: "task" | "candidate";
  readonly passed: boolean;
  readonly at: string;
  readonly checks: readonly {
    readonly command: string;
    readonly exitCode?: number;
    readonly reason?: string;
    readonly output: string;
    readonly milliseconds: number;
  }[];
}
