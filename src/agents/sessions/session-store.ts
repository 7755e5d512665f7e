import type { TokenUsage } from "../../events/index.ts";
import type { AgentFolders } from "../agent.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import type { FoundTranscript, HomeFolders } from "./found-transcript.ts";

/** A session in the agent's own format. Only the agent that wrote it can read it. */
export interface AgentSession {
  readonly sessionId: string;
  readonly agent: string;
  readonly project: string;
  /** Where the agent keeps it: a path, or the key of a database row. */
  readonly ref: string;
  readonly content: Buffer;
  /** ISO; of the first entry that has a time. Filled in by `withDetails`, like all below. */
  readonly startTime?: string;
  /** Files that calls changed which did not fail, in the order they were first changed. */
  readonly modifiedFiles?: readonly string[];
  /** Those of them that the session made, as far as its calls say so. */
  readonly newFiles?: readonly string[];
  readonly deletedFiles?: readonly string[];
  readonly entries?: readonly TranscriptEntry[];
}

/** Where an agent keeps its sessions and how to give one back to it. */
export interface SessionStore {
  /** The folder of this project's sessions. */
  dir(place: AgentFolders): string;
  /** The file of a session, whether or not it is there. */
  file(place: AgentFolders, sessionId: string): string | undefined;
  read(place: AgentFolders, sessionId: string): Promise<AgentSession | undefined>;
  /** Puts a session where the agent looks for it; never over a longer one that is there. */
  write(place: AgentFolders, session: AgentSession): Promise<{ ref: string; written: boolean }>;
  /** The session up to and with an entry. */
  truncate(session: AgentSession, entryId: string): AgentSession | undefined;
  /** Argument list that goes on with a session. */
  resumeCommand(sessionId: string): readonly string[];
  /** Transcripts of the session's subagents. */
  subagents?(ref: string): Promise<readonly { id: string; ref: string }[]>;
  /** Every transcript of the agent on this machine, whatever the project, also of subagents. */
  everywhere?(folders: HomeFolders): Promise<readonly FoundTranscript[]>;
  /** The id of a session that begins inside of a file with several. */
  idInside?(ref: string, begins: string): string;
  /** For agents that keep totals beside the transcript; calls are counted in the transcript. */
  totals?(ref: string): Promise<TokenUsage | undefined>;
}
