import type { UserContent } from "./content.ts";
import type { AgentMessage } from "./messages.ts";

/** The first line of a session file. */
export interface SessionHeader {
  type: "session";
  version?: number;
  id: string;
  timestamp: string;
  cwd: string;
  parentSession?: string;
}

interface EntryBase {
  id: string;
  parentId: string | null;
  timestamp: string;
}

export interface MessageEntry extends EntryBase {
  type: "message";
  message: AgentMessage;
}

export interface ThinkingLevelChangeEntry extends EntryBase {
  type: "thinking_level_change";
  thinkingLevel: string;
}

export interface ModelChangeEntry extends EntryBase {
  type: "model_change";
  provider: string;
  modelId: string;
}

export interface CompactionEntry<Details = unknown> extends EntryBase {
  type: "compaction";
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: Details;
  fromHook?: boolean;
}

export interface BranchSummaryEntry<Details = unknown> extends EntryBase {
  type: "branch_summary";
  fromId: string;
  summary: string;
  details?: Details;
  fromHook?: boolean;
}

/** An extension's own state; never sent to a model. */
export interface CustomEntry<Data = unknown> extends EntryBase {
  type: "custom";
  customType: string;
  data?: Data;
}

/** An extension's message; part of what the model sees. */
export interface CustomMessageEntry<Details = unknown> extends EntryBase {
  type: "custom_message";
  customType: string;
  content: string | UserContent[];
  details?: Details;
  display: boolean;
}

export interface LabelEntry extends EntryBase {
  type: "label";
  targetId: string;
  label: string | undefined;
}

export interface SessionInfoEntry extends EntryBase {
  type: "session_info";
  name?: string;
}

export type SessionEntry =
  | MessageEntry
  | ThinkingLevelChangeEntry
  | ModelChangeEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | LabelEntry
  | SessionInfoEntry;

/** What a compaction produced, before it becomes an entry. */
export interface CompactionResult<Details = unknown> {
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: Details;
}

export interface CompactionPreparation {
  firstKeptEntryId: string;
  messagesToSummarize: AgentMessage[];
  /** The first part of a turn that is too long to be kept whole. */
  turnPrefixMessages: AgentMessage[];
  isSplitTurn: boolean;
  tokensBefore: number;
  previousSummary?: string;
  fileOps?: { read: Set<string>; written: Set<string>; edited: Set<string> };
  settings?: { enabled: boolean; reserveTokens: number; keepRecentTokens: number };
}

export interface TreePreparation {
  targetId: string;
  oldLeafId: string | null;
  commonAncestorId: string | null;
  entriesToSummarize: SessionEntry[];
  userWantsSummary: boolean;
  customInstructions?: string;
  replaceInstructions?: boolean;
  label?: string;
}
