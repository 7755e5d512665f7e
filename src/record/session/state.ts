import type { SkillEvent, TokenUsage } from "../../events/index.ts";
import type { Redaction } from "../redact/index.ts";
import type { Run } from "./runs.ts";
import type { TurnTold } from "./turn-story.ts";

export type Phase = "idle" | "active" | "ended";

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessId {
  readonly pid: number;
  /** When it started, as the system counts. */
  readonly started: string;
}

/**
 * Why a turn broke off: its user stopped it, its agent ended in the middle of it, or nobody knows,
 * and there is only the next prompt.
 */
export type CutOff = "user" | "agent" | "unknown";

/** A file a session changed and no commit has taken up yet. */
export interface TouchedFile {
  /** Blob of what the session wrote; null: the session deleted it. */
  readonly blob: string | null;
  readonly mode?: string;
  /** Turn that wrote it last. */
  readonly turn: string;
  /** Sessions that ran commands when it changed as well: one of them may have been it. */
  readonly one_of?: readonly string[];
}

/** When a file was deleted, as far as that is known. */
export interface Gone {
  /** It was there then. */
  readonly from: string;
  /** Its folder was changed last, when it was found to be gone. */
  readonly to: string;
}

/** What belongs to the next checkpoint of a session. */
export interface Pending {
  /** By path, relative to the work tree. */
  readonly files: Readonly<Record<string, TouchedFile>>;
  /** Turns whose work is in it. */
  readonly turns: readonly PendingTurn[];
  readonly token_usage: TokenUsage;
  readonly skill_events: readonly SkillEvent[];
  readonly blocked_calls: readonly BlockedCall[];
  readonly allowed_calls?: readonly AllowedCall[];
}

export interface PendingTurn {
  readonly id: string;
  readonly prompt?: string;
  /** Line (or message) at which the transcript was when it began. */
  readonly transcript_start: number;
}

/** A tool call that somebody decided about. */
interface DecidedCall {
  readonly tool: string;
  /** Its command, file or the like. */
  readonly about?: string;
  readonly tool_use_id?: string;
  readonly turn_id?: string;
  readonly at: string;
  /** The extension that stopped it, or wanted a person to be asked. */
  readonly by?: string;
}

/** A tool call that a person let run. */
export interface AllowedCall extends DecidedCall {
  /** Where the answer was given: "the page", "seam inbox", "a rule". */
  readonly who: string;
}

/** A tool call that an extension stopped. */
export interface BlockedCall extends DecidedCall {
  readonly reason: string;
  /** The user was asked about it, and it was not seen to run. */
  readonly asked?: true;
}

/**
 * What of a transcript is in git already. Kept with the session, so that the next checkpoint reads
 * and scans only what was appended.
 */
export interface StoredTranscript {
  /** Blobs of the chunks that will not change any more. */
  readonly chunks: readonly string[];
  /** Blob of the last chunk, which will. */
  readonly tail?: string;
  /** How much of the agent's file is in them; ends at a line end. */
  readonly rawBytes: number;
  readonly lines: number;
  /** Recognises the file: a hash of its beginning. */
  readonly head: { readonly bytes: number; readonly sha256: string };
  /** And of the end of what is stored: a file that was rewritten may begin like the old one. */
  readonly foot?: { readonly bytes: number; readonly sha256: string };
  /** State of the hash over all chunks, so that it can go on. */
  readonly hashState: string;
  /** "sha256:…" over all chunks. */
  readonly contentHash: string;
  readonly redactions: readonly Redaction[];
}

/** All that is known of a session while it can still change; one small file per session. */
export interface SessionState {
  readonly version: 1;
  readonly session_id: string;
  /** Registry name. */
  readonly agent: string;
  readonly phase: Phase;
  readonly work_tree: string;
  /** "" for the main work tree, else its name under worktrees/. */
  readonly worktree_id: string;
  /** The work tree where it got its prompt, from this one. It is absent where the session is at home. */
  readonly works_in?: string;
  readonly branch?: string;
  readonly base_commit?: string;
  readonly started_at: string;
  readonly ended_at?: string;
  /** How the end became known. */
  readonly ended_by?: "agent" | "process" | "age";
  readonly last_seen_at: string;
  /** The session whose history it brought along. */
  readonly fork_of?: string;
  readonly owner?: ProcessId;
  readonly model?: string;
  readonly transcript_path?: string;
  /** Where the scanner of the transcript stopped; its own business. */
  readonly scan?: unknown;
  /** What the transcript had told of tokens when it was read last, and the turn of that time. */
  readonly last_read?: { readonly total: TokenUsage; readonly turn_id?: string };
  /** Lines or messages of the transcript that were read. */
  readonly transcript_position?: number;
  /** Where the prompt after the last turn stands, if it was there when the turn was read. */
  readonly next_prompt?: number | undefined;
  /** Where what the user had deleted of the session ends in it: that is not stored once more. */
  readonly forgotten_before?: number;
  /** What is below this line or message was written after all that is known of the session. */
  readonly transcript_end?: number;
  /** What of the transcript is in git. */
  readonly stored?: StoredTranscript;
  /** What was in git of it before its agent wrote it anew, and is in no checkpoint yet. */
  readonly earlier?: readonly StoredTranscript[];
  /** The turn under way, or the last one. */
  readonly turn_id?: string;
  /** When it began. */
  readonly turn_started_at?: string;
  /** What was asked in it: work on it may go on after a commit took up what was pending. */
  readonly turn_prompt?: string | undefined;
  /** The agent has answered. What is under way since are its subagents in the background. */
  readonly turn_answered?: true;
  /** The turn under way ran a command: what it changed is only known from a scan. */
  readonly turn_ran_shell?: boolean;
  /** When it ran commands, in this turn and in earlier ones: tells apart who changed a file. */
  readonly runs?: readonly Run[];
  /** When a command of the turn began or ended last, and it was looked which files are gone. */
  readonly turn_looked_at?: string;
  /** Files that were there when the turn began and were gone then, by path. */
  readonly turn_gone?: Readonly<Record<string, Gone>>;
  /** Files that tools of the turn under way, or the last one, said they changed. */
  readonly turn_files?: readonly string[];
  /** The same of its last turns before, with the time at which the turn was over. */
  readonly earlier_files?: Readonly<Record<string, string>>;
  /** Where else they did: in another repository, or in none. Whole paths, free of secrets. */
  readonly turn_elsewhere?: readonly string[];
  /** What commits of others in that turn had, as it was there: it is not known to be its work. */
  readonly turn_taken_up?: Readonly<Record<string, string | null>>;
  /** What happened in that turn so far. */
  readonly turn_told?: TurnTold;
  /** Tool calls that have begun and not ended, the latest last. */
  readonly open_calls?: readonly string[];
  /** The work tree when that turn began. */
  readonly turn_start_tree?: string;
  /** When the user stopped the turn under way, "" if nobody knows; false if it went on. */
  readonly interrupted?: string | false;
  /** When the end of the last turn was recorded, but for its checkpoints. */
  readonly turn_ended_at?: string;
  /** If the last turn broke off. */
  readonly turn_cut_off?: CutOff | undefined;
  readonly turn_count: number;
  readonly token_usage: TokenUsage;
  readonly pending: Pending;
  /** Checkpoints written in the turn under way: finalised when it ends. */
  readonly turn_checkpoint_ids: readonly string[];
  /** How often hooks of the turn told of a skill without a name for that use. */
  readonly turn_skills?: Readonly<Record<string, number>>;
  /** Ids of skill events that are in checkpoints, and of what they are uses; the latest ones. */
  readonly told_skills?: readonly string[];
  readonly last_checkpoint_id?: string;
  /** Last journal position that is in this file. */
  readonly seq: number;
}
