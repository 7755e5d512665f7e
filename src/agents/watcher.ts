import type { AgentFolders } from "./agent.ts";

/** What happened to a session that is only watched. */
export interface SessionChange {
  /** The same change, read twice, has the same id. */
  readonly id: string;
  readonly sessionId: string;
  /** The transcript. */
  readonly ref: string;
  readonly event: "session_start" | "agent_start" | "tool_execution_end" | "agent_end";
  readonly prompt?: string;
  /** The file that an edit changed. */
  readonly file?: string;
  /** What the agent ran. */
  readonly command?: string;
  /** The commit that it made. */
  readonly commit?: string;
  /** Lines of the transcript up to and with this; what is below came later. */
  readonly end: number;
  /** ISO. */
  readonly at: string;
}

/** How a changed file is looked at. */
export interface WatchOptions {
  /** How long the file was when the user asked for it to be watched: what is before that is old. */
  readonly since?: number;
  /** Nothing was written for a while: what looks finished is finished. */
  readonly isQuiet?: boolean;
}

/** What the change of a file came to. */
export interface Watched {
  readonly changes: readonly SessionChange[];
  /** For the next look; plain JSON. */
  readonly state: unknown;
  /** It has to be looked at again, with `isQuiet`, once nothing is written for a while. */
  readonly isWaiting?: boolean;
}

/** For agents without hooks: their files are watched. */
export interface Watcher {
  watchPaths(place: AgentFolders): readonly string[];
  /** What the change of a file means; called again with the state it returned before. */
  changed(path: string, state: unknown, options?: WatchOptions): Promise<Watched>;
}
