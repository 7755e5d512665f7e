/** What one member of a crew says to another. Stored before it is delivered. */
export interface CrewMessage {
  readonly id: string;
  readonly run: string;
  /** The task that says it, or "user". */
  readonly from: string;
  /** The task that hears it, or "user". */
  readonly to: string;
  readonly text: string;
  /** The message that this one answers. */
  readonly replyTo?: string;
  readonly sentAt: string;
  readonly deliveredAt?: string;
}

/** Those who are no task: the people who started the run. */
export const USER = "user";
/** Everybody who still works, or will. */
export const ALL = "all";

/** A message as its reader's model hears it. */
export function wordsOf({ from, text, id, replyTo }: CrewMessage): string {
  const who = from === USER ? "The user" : `The task ${from} of your crew`;
  const what = replyTo === undefined ? "says" : `answers your message ${replyTo}`;
  const how = from === USER ? "" : ` Answer with crew_send (replyTo: "${id}") if you have to.`;
  return `${who} ${what}: ${text}${how}`;
}
