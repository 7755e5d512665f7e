/**
 * What extension authors and embedders import.
 *
 * @example
 * import { loadExtensions } from "agentseam";
 *
 * const extensions = await loadExtensions({ cwd: process.cwd(), sources: ["./no-rm.ts"] });
 * const decision = await extensions.dispatcher.emit({
 *   type: "tool_call",
 *   toolName: "bash",
 *   toolCallId: "1",
 *   input: { command: "rm -rf /" },
 * });
 * console.log(decision.blocked, decision.reason);
 */
export * from "./dispatch/index.ts";
export { ERRORS, type ErrorCode } from "./errors/index.ts";
export * from "./events/index.ts";
export * from "./extensions/index.ts";
export {
  type Agent,
  type AgentOptions,
  createAgent,
  type MessageQueue,
  Models,
  type PromptOptions,
  type QueuedMessage,
  type QueueKind,
  readSession,
  type SavedSessionsOptions,
  type ScriptedTurn,
  SessionFile,
  type SessionInfo,
  type SessionPlace,
  type SessionProblem,
  SessionStore,
  SessionTree,
  savedSessions,
  scriptedModels,
} from "./host/index.ts";
