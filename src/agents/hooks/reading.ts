import type { EventName, SkillEvent, UserContent } from "../../events/index.ts";
import type { Told } from "./told.ts";

type Json = Record<string, unknown>;

/** What a native payload says, in Seam's words. Fields the agent does not give are absent. */
export interface Reading {
  readonly sessionId: string;
  readonly cwd?: string;
  readonly transcriptPath?: string;
  /** How much of the transcript was there, in its own unit, where others may have read more by now. */
  readonly transcriptEnd?: number;
  /** The commit that the agent says it made. */
  readonly commit?: string;
  /** The agent's own id of the turn or prompt. */
  readonly turnId?: string;
  readonly model?: string;
  /** When it happened, where the agent says so; ISO. */
  readonly at?: string;
  /** The session this one goes on from: after a fork, or with a new session in the same program. */
  readonly previousSessionId?: string;
  /** What else the agent says of its state, by the name it has for it. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The session that started this one as its subagent, where that is all the agent says. */
  readonly startedBy?: string;
  /** Only inside a subagent; sessionId is then still the one the user talks to, if known. */
  readonly inSubagent?: { readonly id?: string; readonly type?: string };
  readonly start?: { readonly reason: "startup" | "reload" | "new" | "resume" | "fork" };
  readonly end?: { readonly reason: "quit" | "reload" | "new" | "resume" | "fork" };
  readonly prompt?: string;
  /** No person asked: one of the agent's own tasks is over, and the agent goes on because of it. */
  readonly unasked?: true;
  /** One call may touch several files (a patch): one reading of it per file, all with one id. */
  readonly tools?: readonly ToolReading[];
  /** What the model said last, at a stop. */
  readonly lastMessage?: string;
  /** This stop comes after a stop that was answered with "continue". */
  readonly continued?: boolean;
  /** This stop is the user's doing. */
  readonly aborted?: boolean;
  readonly subagent?: {
    readonly id?: string;
    readonly toolCallId?: string;
    readonly type?: string;
    readonly task?: string;
    readonly input?: unknown;
    readonly transcriptPath?: string;
    readonly lastMessage?: string;
  };
  readonly compaction?: { readonly trigger: "manual" | "auto"; readonly summary?: string };
  readonly skill?: SkillEvent;
  /** What was decided inside the agent, where that is where decisions are made. */
  readonly decided?: Told;
  readonly notice?: {
    readonly kind: string;
    readonly text: string;
    /** The agent waits for its user in a dialog of its own. */
    readonly asks?: boolean;
  };
  /** For agents whose hooks are events of the vocabulary: the event as the agent told it. */
  readonly given?: { readonly event: EventName; readonly fields: Readonly<Json> };
}

/** A tool call as a hook tells of it, in the words that all agents share. */
export interface ToolReading {
  /** Normalised: bash, read, write, edit, grep, find, ls, subagent, skill; else the native name. */
  readonly name: string;
  readonly nativeName: string;
  /** With normalised field names: bash.command, write.path, write.content, edit.path … */
  readonly input: Json;
  readonly nativeInput: Json;
  readonly callId: string;
  /** It is a tool of Seam's own MCP server, under the name that its extension gave it. */
  readonly isSeams?: true;
  /** The agent gave no id; this one is made of session, tool and input until CallIds gives one. */
  readonly madeUpId?: boolean;
  /** It goes on in the background after its result has come. */
  readonly runsOn?: true;
  readonly result?: {
    readonly content: UserContent[];
    readonly isError: boolean;
    readonly native: unknown;
  };
}
