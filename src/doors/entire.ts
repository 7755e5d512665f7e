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

/** The name of Claude Code. */
export const AgentNameClaudeCode = "claude-code";
/** The name of Cursor. */
export const AgentNameCursor = "cursor";
/** The name of Gemini CLI. */
export const AgentNameGemini = "gemini";
/** The name of OpenCode. */
export const AgentNameOpenCode = "opencode";
/** The name of Factory AI Droid. */
export const AgentNameFactoryAIDroid = "factoryai-droid";

/** Claude Code as metadata calls it. */
export const AgentTypeClaudeCode = "Claude Code";
/** Cursor as metadata calls it. */
export const AgentTypeCursor = "Cursor";
/** Gemini CLI as metadata calls it. */
export const AgentTypeGemini = "Gemini CLI";
/** OpenCode as metadata calls it. */
export const AgentTypeOpenCode = "OpenCode";
/** Factory AI Droid as metadata calls it. */
export const AgentTypeFactoryAIDroid = "Factory AI Droid";

/** A session began. */
export const SessionStart = "session_start" satisfies LifecycleEventType;
/** The user asked for something. */
export const TurnStart = "turn_start" satisfies LifecycleEventType;
/** The agent stopped. */
export const TurnEnd = "turn_end" satisfies LifecycleEventType;
/** The older part of the conversation was replaced by a summary. */
export const Compaction = "compaction" satisfies LifecycleEventType;
/** A session ended. */
export const SessionEnd = "session_end" satisfies LifecycleEventType;
/** A subagent began. */
export const SubagentStart = "subagent_start" satisfies LifecycleEventType;
/** A subagent ended. */
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
