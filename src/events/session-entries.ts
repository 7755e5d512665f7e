import type { AssistantContent, UserContent } from "./content.ts";
import type { AgentMessage, Usage } from "./messages.ts";

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

/** A message of the conversation. */
export interface MessageEntry extends EntryBase {
  type: "message";
  message: AgentMessage;
}

/** From here on the model thought as hard as this. */
export interface ThinkingLevelChangeEntry extends EntryBase {
  type: "thinking_level_change";
  thinkingLevel: string;
}

/** From here on this model answered. */
export interface ModelChangeEntry extends EntryBase {
  type: "model_change";
  provider: string;
  modelId: string;
}

/** The conversation before `firstKeptEntryId` was replaced by a summary. */
export interface CompactionEntry<Details = unknown> extends EntryBase {
  type: "compaction";
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: Details;
  fromHook?: boolean;
}

/** A summary of the branch that was left at `fromId`. */
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

/** The user gave an entry a name; without `label` it was taken away. */
export interface LabelEntry extends EntryBase {
  type: "label";
  targetId: string;
  label: string | undefined;
}

/** The name of the session. */
export interface SessionInfoEntry extends EntryBase {
  type: "session_info";
  name?: string;
}

/** What a model was used for beside the conversation, and what it cost. */
export interface UsageEntry extends EntryBase {
  type: "usage";
  kind: string;
  provider: string;
  model: string;
  usage: Usage;
  note?: string;
}

/** Another content of an entry, for the model alone; null hides it. The latest one counts. */
export interface ContextEditEntry extends EntryBase {
  type: "context_edit";
  targetId: string;
  replacement: { content: AssistantContent[] | UserContent[] | string } | null;
}

/** One line of a session file; its `type` says what it is. `parentId` makes a tree of them. */
export type SessionEntry =
  | MessageEntry
  | ThinkingLevelChangeEntry
  | ModelChangeEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | LabelEntry
  | SessionInfoEntry
  | UsageEntry
  | ContextEditEntry;

/** What a compaction produced, before it becomes an entry. */
export interface CompactionResult<Details = unknown> {
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: Details;
}

/** What a compaction is about to summarise, and from which entry on everything is kept. */
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

/** Where in the tree of its session the agent is about to go, and what it leaves behind. */
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
