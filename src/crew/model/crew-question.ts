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
  /** Whether more may be spent; an amount is an answer too: "$5, 100k tokens". */
  budget: ["as much again", "give up"],
  /** Whether what looks like secrets in the work of a task may be merged. */
  secrets: ["they are no secrets", "take them out"],
  /** Who changed the user's checkout while an agent was at work that nothing kept from it. */
  checkout: ["it was me", "it was me, do not ask again", "the task did it"],
  /** Anything an agent wants to know. */
  ask: [],
} as const;

export type QuestionKind = keyof typeof QUESTION_KINDS;

/** A question is stored before anybody sees it, and its answer before anything follows from it. */
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
