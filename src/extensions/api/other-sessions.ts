import type { HostSessions } from "./host.ts";
/** Names one session among those of all agents. */
export interface SessionRef {
  /** The agent's name: `claude-code`, `codex`, `seam` … */
  agent: string;
  session: string;
}

/** A session of any agent on this machine that spoke lately. */
export interface OtherSession extends SessionRef {
  cwd: string;
  /** What it wants from people: an answer, nothing because it works, or the next prompt. */
  phase: "needs-you" | "working" | "done" | "quiet";
  /** When it was last heard of; ISO. */
  at: string;
  /** It waits at its next tool call. */
  isHeld: boolean;
  /** Its last prompt, as far as it is known. */
  prompt?: string;
  /** The last thing its model said, where the agent tells. */
  lastWords?: string;
}

/**
 * The sessions of all agents on this machine, and what can be done with those of others. What an
 * agent does not let happen is refused with `SEAM_SESSION_CANNOT`.
 */
export interface OtherSessions {
  /** Those that spoke lately, the newest first. This session is one of them. */
  list(): Promise<OtherSession[]>;
  /** Has a session wait at its next tool call. */
  hold(session: SessionRef): Promise<void>;
  /** Lets a session go on that was held. */
  release(session: SessionRef): Promise<void>;
  /** Says something to the model of a session; resolves with when it hears that. */
  say(session: SessionRef, text: string): Promise<"next step" | "when it stops">;
  /**
   * Ends the turn of a session; resolves with how: at its next step, or by refusing its tool calls
   * until it gives up.
   */
  interrupt(session: SessionRef): Promise<"next step" | "calls refused">;
}

/** The sessions of other agents, for whom most never ask: what talks to them is loaded with the first wish. */
export function lazySessions(load: () => Promise<HostSessions>): HostSessions {
  return {
    list: async () => (await load()).list(),
    hold: async (ref, by) => (await load()).hold(ref, by),
    release: async (ref, by) => (await load()).release(ref, by),
    say: async (ref, text, by) => (await load()).say(ref, text, by),
    interrupt: async (ref, by) => (await load()).interrupt(ref, by),
  };
}
