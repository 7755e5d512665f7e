import type { SkillEvent, TokenUsage } from "../../events/index.ts";
import type { AllowedCall, BlockedCall, CutOff } from "../session/state.ts";

/** `metadata.json` of a checkpoint. Keys that are not here are kept when it is written again. */
export interface CheckpointMetadata {
  /** Of the form in which it is stored; absent in what 0.1.0 wrote. */
  readonly version?: number;
  readonly cli_version?: string;
  readonly checkpoint_id: string;
  readonly strategy: string;
  readonly branch?: string;
  readonly commit_sha?: string;
  /** Number of turns in all sessions since their last checkpoints. */
  readonly checkpoints_count: number;
  readonly files_touched: readonly string[];
  /** Blobs of these files in the commit, by path: finds the checkpoint when a trailer was lost. */
  readonly file_hashes?: Readonly<Record<string, string | null>>;
  readonly sessions: readonly SessionPaths[];
  readonly token_usage?: TokenUsage;
  readonly imported?: boolean;
}

/** Where a session's files are, from the root of the tree: "/ab/cdef…/0/metadata.json". */
export interface SessionPaths {
  readonly metadata: string;
  readonly transcript?: string;
  readonly content_hash?: string;
  readonly prompt: string;
}

/** `<n>/metadata.json`: one session of a checkpoint. */
export interface SessionMetadata {
  readonly cli_version?: string;
  readonly checkpoint_id: string;
  readonly session_id: string;
  readonly strategy: string;
  /** The session whose history this one brought along. */
  readonly fork_of?: string;
  readonly created_at: string;
  readonly branch?: string;
  readonly commit_sha?: string;
  readonly checkpoints_count: number;
  readonly files_touched: readonly string[];
  /** Those of them that another session may have changed in its place: both ran commands then. */
  readonly files_one_of?: readonly string[];
  /** As users know it: "Claude Code". */
  readonly agent?: string;
  readonly model: string;
  readonly turn_id?: string;
  readonly turn_ids?: readonly string[];
  readonly checkpoint_transcript_start?: number;
  /** Where the next checkpoint of the same turn goes on; absent: at the end of the transcript. */
  readonly checkpoint_transcript_end?: number;
  readonly token_usage?: TokenUsage;
  /** Where the session got its prompt, seen from this work tree: transcript and tokens are there. */
  readonly works_in?: string;
  /** Both absent when there are none. */
  readonly skill_events_version?: number;
  readonly skill_events?: readonly SkillEvent[];
  readonly blocked_calls?: readonly BlockedCall[];
  /** Calls that a person let run after an extension wanted one to be asked. */
  readonly allowed_calls?: readonly AllowedCall[];
  /** What was taken out of the transcript: rule and count, never the value. */
  readonly redactions?: readonly { readonly rule: string; readonly count: number }[];
  /** When the turn ended in which the commit was made; absent if that was before the commit. */
  readonly finalized_at?: string;
  /** If the last of its turns broke off. */
  readonly cut_off?: CutOff;
  readonly session_metrics?: { readonly turn_count?: number; readonly duration_ms?: number };
}

export const STRATEGY = "seam";
export const CHECKPOINTS_REF = "refs/seam/checkpoints/v1";
export const TURNS_PREFIX = "refs/seam/turns/";
export const TRAILER = "Seam-Checkpoint";
