import type { SkillEvent, TokenUsage } from "../../events/index.ts";

/** One thing said or done in a transcript, the same for every agent. */
export interface TranscriptEntry {
  readonly kind: "user" | "assistant" | "tool_call" | "tool_result" | "compaction" | "other";
  /** The agent's own id of the entry. */
  readonly id?: string;
  /** ISO. */
  readonly at?: string;
  /** A prompt as the user typed it, or what the model said; not for injected text. */
  readonly text?: string;
  /** What the model thought before it answered, where the agent writes it down. */
  readonly thinking?: string;
  /** What a person has to read of the text, where the rest of it is told by other entries. */
  readonly story?: string;
  readonly tool?: EntryTool;
  /** What a call of the model cost. */
  readonly usage?: EntryUsage;
  readonly model?: string;
  readonly skill?: SkillEvent;
  /** A summary or title the agent made itself. */
  readonly summary?: string;
  /** The user stopped the agent here. */
  readonly interrupts?: true;
  /** A child that was started, and by which call where the entry itself is not of that call. */
  readonly subagent?: {
    readonly id?: string;
    readonly type?: string;
    readonly ref?: string;
    readonly call?: string;
  };
  /** The session in whose transcript it was written first, where that is said. */
  readonly session?: string;
  /** The folder the agent works in, where a line says it. */
  readonly cwd?: string;
  /** A session begins here, in a file that holds several: what it is called in this file. */
  readonly begins?: string;
  /** It was over before the line it is told on: only the next part showed that. */
  readonly endsBefore?: true;
  /** Id of the child that said or did this, where children are written into their parent's file. */
  readonly inSubagent?: string;
}

/** A tool call, or the result of one. */
export interface EntryTool {
  /** Normalised: bash, write, edit … Empty on a result if only the call says which tool it was. */
  readonly name: string;
  readonly nativeName: string;
  readonly callId?: string;
  readonly input?: unknown;
  /** What says most about the call: its command, file, pattern or task. Of a result: its text. */
  readonly about?: string;
  readonly output?: unknown;
  readonly isError?: boolean;
  /** The call did not fail: the user refused or stopped it. */
  readonly refused?: true;
  /** Its result only says that it was started: it goes on in the background. */
  readonly runsOn?: boolean;
  /** Files the call changes, as the agent wrote them (absolute, or relative to its folder). */
  readonly files?: readonly string[];
  /** Those of them that the call makes, or writes from the first to the last line. */
  readonly written?: readonly string[];
  /** Those of them that it deletes, or moves away. */
  readonly deleted?: readonly string[];
}

/** What a call of the model used. */
export interface EntryUsage {
  /**
   * Entries with one key are one call of the model: the last one counts. Agents repeat the usage
   * on several lines, or write it again when it grew.
   */
  readonly key: string;
  /** Without subagents; cached input is not part of input. */
  readonly tokens: TokenUsage;
  /** The part of the tokens written to the cache that is kept for an hour, which costs more. */
  readonly hourCacheTokens?: number;
  /** In dollars, where the agent writes down itself what the call cost. */
  readonly cost?: number;
}
