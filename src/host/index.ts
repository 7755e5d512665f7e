export { askUser } from "./ask-user.ts";
export { type AgentOptions, createAgent } from "./create-agent.ts";
export type { EmbeddedAgent } from "./embedded-agent.ts";
export { Models, type ScriptedTurn, scriptedModels } from "./models/index.ts";
export * from "./modes/index.ts";
export { sessionLine } from "./pi/agent/session-events.ts";
export { piModules } from "./pi/pi-modules.ts";
export { FILE_LANGUAGES } from "./pi/utilities/file-languages.ts";
export type { Prompt, PromptOptions } from "./prompt-input.ts";
export type { MessageQueue, QueuedMessage, QueueKind } from "./queue.ts";
export { type SavedSessionsOptions, savedSessions } from "./saved-sessions.ts";
export {
  copyBranch,
  fork as forkSession,
  forkPoint,
  readSession,
  SessionFile,
  type SessionInfo,
  type SessionProblem,
  SessionStore,
  SessionTree,
  treePoint,
} from "./session/index.ts";
export type { SessionPlace } from "./session-control.ts";
export { sessionHtml } from "./session-html.ts";
export { keepStuckNotes, type StuckNote, stuckNotes } from "./watchdog/index.ts";
