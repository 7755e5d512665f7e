import type { ShownKind } from "../inbox/question.ts";

/**
 * What a session wants from people. needs-you: a question waits, here or in the agent's own terminal. working: in a turn. done: its turn
 * is over and nobody has spoken to it since. quiet: nothing was heard of it for long, or it has ended.
 */
export type SessionPhase = "needs-you" | "working" | "done" | "quiet";

/** A session that spoke lately, as the hooks tell of it. */
export interface LiveSession {
  /** Registry name of the agent. */
  readonly agent: string;
  readonly session: string;
  readonly cwd: string;
  readonly phase: SessionPhase;
  /** Since when it is in this phase; ISO. */
  readonly since: string;
  /** When it was last heard of; ISO. */
  readonly at: string;
  readonly transcript?: string;
  readonly model?: string;
  readonly prompt?: string;
  /** The last thing the model said, where the agent tells. */
  readonly lastWords?: string;
  /** The last tool call, in one line. */
  readonly lastCall?: { readonly tool: string; readonly target?: string };
  /** What it asks its user in a dialog of its own, which only its own terminal can answer. */
  readonly asks?: string;
  /** The session is over; it can be resumed. */
  readonly isEnded?: true;
  /** It waits at its next tool call until somebody lets it go on. */
  readonly isHeld?: true;
  /** Somebody wants its turn to end, which it has not done yet. */
  readonly isInterrupted?: true;
  /** What was said to it and has not reached it yet. */
  readonly unheard: number;
  /** What extensions show beside it, by kind and key. */
  readonly shown: readonly {
    readonly kind: ShownKind;
    readonly key: string;
    readonly lines: readonly string[];
  }[];
}
