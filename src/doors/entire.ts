/**
 * The contract of Entire's Go package `agent` under its own names, for programs that are brought over
 * from it. docs/agents-api.md says what each is here, and what is different.
 */
import type {
  Agent,
  HookRow,
  HookSupport,
  LifecycleEvent,
  LifecycleEventType,
  TranscriptEntry,
  TranscriptFormat,
  Watcher,
} from "../agents/index.ts";

export {
  agentNames as List,
  agentNames as StringList,
  agentOfType as GetByAgentType,
  allProtectedDirs as AllProtectedDirs,
  chunkFileName as ChunkFileName,
  chunkJsonl as ChunkJSONL,
  chunkTranscript as ChunkTranscript,
  DEFAULT_AGENT as DefaultAgentName,
  defaultAgent as Default,
  detect as Detect,
  detectAll as DetectAll,
  MAX_CHUNK_BYTES as MaxChunkSize,
  parseChunkIndex as ParseChunkIndex,
  readHookInput as ReadAndParseHookInput,
  reassembleJsonl as ReassembleJSONL,
  reassembleTranscript as ReassembleTranscript,
  recogniseTranscript as DetectAgentTypeFromContent,
  registerAgent as Register,
  sortChunkFiles as SortChunkFiles,
  totalTokens as CalculateTokenUsage,
  UNKNOWN_AGENT_TYPE as AgentTypeUnknown,
} from "../agents/index.ts";

/** The ending of a piece's file, as printf writes it. */
export const ChunkSuffix = ".%03d";

export const AgentNameClaudeCode = "claude-code";
export const AgentNameCursor = "cursor";
export const AgentNameGemini = "gemini";
export const AgentNameOpenCode = "opencode";
export const AgentNameFactoryAIDroid = "factoryai-droid";

export const AgentTypeClaudeCode = "Claude Code";
export const AgentTypeCursor = "Cursor";
export const AgentTypeGemini = "Gemini CLI";
export const AgentTypeOpenCode = "OpenCode";
export const AgentTypeFactoryAIDroid = "Factory AI Droid";

export const SessionStart = "session_start" satisfies LifecycleEventType;
export const TurnStart = "turn_start" satisfies LifecycleEventType;
export const TurnEnd = "turn_end" satisfies LifecycleEventType;
export const Compaction = "compaction" satisfies LifecycleEventType;
export const SessionEnd = "session_end" satisfies LifecycleEventType;
export const SubagentStart = "subagent_start" satisfies LifecycleEventType;
export const SubagentEnd = "subagent_end" satisfies LifecycleEventType;

/** A step of a session's life. */
export type Event = LifecycleEvent;
/** Which step it is. */
export type EventType = LifecycleEventType;
/** One entry of a transcript. */
export type SessionEntry = TranscriptEntry;
/** Who or what an entry is of. */
export type EntryType = TranscriptEntry["kind"];
/** Makes an agent. */
export type Factory = () => Agent;
/** Tells of changes to sessions of agents that have no hooks. */
export type FileWatcher = Watcher;
/** What a hook of an agent means. */
export type HookType = HookRow;
/** Says what a hook answers. */
export type HookResponseWriter = Pick<HookSupport, "answer">;
/** Knows the subagents of a session. */
export type SubagentAwareExtractor = Pick<Agent["sessions"], "subagents">;
/** Counts the tokens of a transcript. */
export type TokenCalculator = TranscriptFormat;
/** Reads prompts, files and the summary of a transcript. */
export type TranscriptAnalyzer = TranscriptFormat;
/** Waits until a transcript is written. */
export type TranscriptPreparer = Pick<TranscriptFormat, "prepare">;
