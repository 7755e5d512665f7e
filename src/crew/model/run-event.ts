/** Something that happened in a run, in order, for everybody who follows it. */
export interface RunEvent {
  readonly run: string;
  readonly number: number;
  readonly at: string;
  readonly kind:
    | "run"
    | "task"
    | "attempt"
    | "proof"
    | "merge"
    | "question"
    | "message"
    | "budget"
    | "note";
  readonly task?: string;
  readonly attempt?: number;
  /** The state it is in now, of the run or the task. */
  readonly state?: string;
  /** In words, for people. */
  readonly text: string;
}
