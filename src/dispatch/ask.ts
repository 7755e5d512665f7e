/** A question for a person: whether a tool call may run. */
export interface Ask {
  readonly reason: string;
  /** The extensions that want it answered. */
  readonly by: string;
  /** What becomes of the call if there is nobody to answer. */
  readonly unanswered: "block" | "allow";
}

/**
 * Puts a question to whoever is there. False: they said no. Undefined: there is nobody, so
 * `unanswered` decides.
 */
export type Asker = (question: AskedCall) => Promise<boolean | undefined>;

/** A tool call about which a person is asked. */
export interface AskedCall extends Ask {
  readonly toolName: string;
  /** What would run. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Two questions about one call are put as one, and the stricter one says what silence means. */
export function joinAsks(first: Ask | undefined, second: Ask): Ask {
  if (!first) return second;
  const unanswered = first.unanswered === "allow" ? second.unanswered : "block";
  const by = unique(first.by, second.by, ", ");
  return { reason: unique(first.reason, second.reason, "\n"), by, unanswered };
}

/** What becomes of a call as long as nobody was asked. */
export function unasked(ask: Ask): Unasked {
  const { reason, by, unanswered } = ask;
  return unanswered === "allow" ? { blocked: false, ask } : { blocked: true, reason, by, ask };
}

interface Unasked {
  readonly blocked: boolean;
  readonly reason?: string;
  readonly by?: string;
  readonly ask: Ask;
}

function unique(first: string, second: string, separator: string): string {
  return first.split(separator).includes(second) ? first : `${first}${separator}${second}`;
}
