import type { Place } from "./agent.ts";

/** What happened to a session that is only watched. */
export interface SessionChange {
  readonly sessionId: string;
  /** The transcript. */
  readonly ref: string;
  readonly event: "session_start" | "agent_start" | "agent_end";
  readonly prompt?: string;
  readonly at: string;
}

/** For agents without hooks: their files are watched. */
export interface Watcher {
  watchPaths(place: Place): readonly string[];
  /** What the change of a file means; called again with the state it returned before. */
  changed(path: string, state: unknown): Promise<{ changes: SessionChange[]; state: unknown }>;
}
