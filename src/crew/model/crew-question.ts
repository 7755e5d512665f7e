/** What a person is asked by a crew, and the words they can answer with. */
export const QUESTION_KINDS = {
  /** Whether the tasks of a plan may join the graph. */
  plan: ["yes", "no"],
  /** Whether a task may start. */
  start: ["yes", "no"],
  /** Whether what was proved may be merged. */
  merge: ["yes", "no"],
  /** What to do about a task that does not succeed. */
  stuck: ["try again", "give up"],
  /** Anything an agent wants to know. */
  ask: [],
} as const;

export type QuestionKind = keyof typeof QUESTION_KINDS;

/** Stored before anybody sees it, and its answer before anything follows from it. */
export interface CrewQuestion {
  readonly id: string;
  readonly run: string;
  readonly task?: string;
  readonly kind: QuestionKind;
  readonly title: string;
  readonly message: string;
  readonly askedAt: string;
  readonly answer?: string;
  readonly answeredAt?: string;
}
