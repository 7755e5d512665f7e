import type { CrewMessage } from "../messages/message.ts";
import type { CrewQuestion } from "../model/crew-question.ts";
import type { Attempt, Run, Task } from "../model/run.ts";
import type { KeptProof } from "./crew-store.ts";

/** A run with everything in it. */
export interface RunReport {
  readonly run: Run;
  readonly tasks: readonly Task[];
  readonly attempts: readonly Attempt[];
  readonly proofs: readonly KeptProof[];
  readonly questions: readonly CrewQuestion[];
  /** What its members and people said to each other, oldest first. */
  readonly messages: readonly CrewMessage[];
}
