import type { SessionState } from "./state.ts";

/** What is known of a session that works here, from where it is at home. */
export type Guest = Required<Pick<SessionState, "works_in">> &
  Partial<
    Pick<SessionState, "started_at" | "scan" | "last_read" | "transcript_position" | "fork_of">
  >;

/** A session as it is here: a guest, or at home, where its prompts are given. */
export function asGuest(state: SessionState, guest: Guest | undefined): SessionState {
  if (guest) return { ...state, ...guest };
  const { works_in: _, ...own } = state;
  return own;
}
