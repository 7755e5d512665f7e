export type { TokenUsage } from "../events/index.ts";
export type { Agent, AgentFolders, Presence, Program } from "./agent.ts";
export { agentsFiring, firing } from "./agents-firing.ts";
export type { Headless, News } from "./headless/headless.ts";
export { type Trouble, troubleIn } from "./headless/trouble.ts";
export { CallIds } from "./hooks/call-id.ts";
export { eventPowers, isDecided } from "./hooks/event-powers.ts";
export { eventsFor } from "./hooks/events-for.ts";
export { type HookAnswer, NO_ANSWER } from "./hooks/hook-answer.ts";
export { type HookInput, hookInput, readHookInput } from "./hooks/hook-input.ts";
export type { Evidence, HookRow, HookSupport, Payload } from "./hooks/hook-support.ts";
export {
  LIFECYCLE_EVENTS,
  type LifecycleEvent,
  type LifecycleEventType,
  lifecycleEvent,
  parseHookEvent,
} from "./hooks/lifecycle-event.ts";
export { POWER_TEXT, POWERS, type Power } from "./hooks/power.ts";
export type { Reading, ToolReading } from "./hooks/reading.ts";
export { tell } from "./hooks/tell.ts";
export type { Told } from "./hooks/told.ts";
export { canWrite } from "./hooks/tool-table.ts";
export type { Step } from "./install/apply.ts";
export {
  checkTwice,
  checkUp,
  checkVersion,
  isConcerned,
  isEnabled,
  LEVELS,
  runsOnlyForUser,
  type Standing,
  standingOf,
  switchedOff,
} from "./install/check-up.ts";
export {
  disable,
  enable,
  planDisable,
  planEnable,
  type Target,
} from "./install/enable.ts";
export { hookCommand, MARK as HOOK_MARK } from "./install/hook-command.ts";
export { allRecords, type InstallRecord } from "./install/install-record.ts";
export type {
  FileChange,
  Finding,
  Health,
  Installer,
  InstallPlan,
  Level,
} from "./install/installer.ts";
export { type WatchedFolder, watchedFolders, watchedIn } from "./install/watched-folder.ts";
export { AGENT_NAMES, type AgentName } from "./names.ts";
export { installedVersion, programPath } from "./program.ts";
export type { Quirk } from "./quirk.ts";
export {
  chunkTranscript,
  reassembleTranscript,
  recogniseTranscript,
} from "./recognise-transcript.ts";
export {
  AGENTS,
  ALL_AGENTS,
  agentNamed,
  agentNames,
  agentOfType,
  allProtectedDirs,
  DEFAULT_AGENT,
  defaultAgent,
  detect,
  detectAll,
  registerAgent,
  UNKNOWN_AGENT_TYPE,
} from "./registry.ts";
export { type HomeFolders, markParts } from "./sessions/found-transcript.ts";
export { withDetails } from "./sessions/session-details.ts";
export type { AgentSession, SessionStore } from "./sessions/session-store.ts";
export { findToolResultEntry, lastAnswer, lastPrompt } from "./sessions/session-text.ts";
export { anchorSkill } from "./transcripts/anchor-skill.ts";
export {
  chunkLines as chunkJsonl,
  joinLines as reassembleJsonl,
} from "./transcripts/chunk-lines.ts";
export { chunkFileName, parseChunkIndex, sortChunkFiles } from "./transcripts/chunk-names.ts";
export { contentEntries } from "./transcripts/content-entries.ts";
export type { EntryTool, EntryUsage, TranscriptEntry } from "./transcripts/entry.ts";
export type { Facts, Prompt, Subagent } from "./transcripts/facts.ts";
export { type Fingerprint, fingerprintOf, isSameFile } from "./transcripts/fingerprint.ts";
export {
  type LineFormat,
  type Located,
  MAX_CHUNK_BYTES,
  type TranscriptFormat,
  tellsUsage,
} from "./transcripts/format.ts";
export {
  bareLine,
  decodeLine,
  isBlank,
  isWholeWithoutEnd,
} from "./transcripts/line-decoder.ts";
export { type ReadState, readAppended } from "./transcripts/read-appended.ts";
export { aboutCall } from "./transcripts/read-call.ts";
export { openReadable, type ReadableFile } from "./transcripts/readable-file.ts";
export { scanTranscript } from "./transcripts/scan.ts";
export type { Scan, ScanOptions } from "./transcripts/scan-result.ts";
export type { ScanState } from "./transcripts/scan-state.ts";
export {
  allModifiedFiles,
  type FamilyScan,
  type FamilyState,
  scanFamily,
  totalTokens,
  type Until,
} from "./transcripts/scan-with-subagents.ts";
export {
  beginningOf,
  joinStories,
  type StoryEntry,
  storyEntryOf,
  type ToldStory,
} from "./transcripts/story.ts";
export { storyInOrder, withChildren } from "./transcripts/subagent-story.ts";
export { textOf } from "./transcripts/text-blocks.ts";
export { callsAfter, UsageLedger } from "./transcripts/usage-ledger.ts";
export {
  modifiedFilesFrom,
  promptsFrom,
  skillEventsFrom,
  summaryOf,
  tokenUsageFrom,
  transcriptPosition,
} from "./transcripts/views.ts";
export type { SessionChange, Watched, Watcher, WatchOptions } from "./watcher.ts";
