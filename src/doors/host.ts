/**
 * `agentseam/host`: for programs that run extensions, or Seam's own agent, themselves.
 *
 * @example
 * import { loadExtensions } from "agentseam/host";
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

// Dispatching events.
export {
  type Ask,
  type AskedCall,
  type Asker,
  type ClaimDecision,
  type CollectDecision,
  type Decision,
  type DecisionOf,
  Dispatcher,
  type DispatcherOptions,
  decide,
  decideToolCall,
  type EmitOptions,
  type GateDecision,
  type HandlerOptions,
  type HandlerReport,
  type Owner,
  type Problem,
  type ToolCallDecision,
  type TraceStep,
  type TransformDecision,
  UNDECIDED,
} from "../dispatch/index.ts";
export { ERRORS, type ErrorCode, SeamError } from "../errors/index.ts";
export {
  type AgentMessage,
  type Declaration,
  declarationOf,
  EVENT_NAMES,
  EVENTS,
  type EventGroup,
  type EventIds,
  type EventKind,
  type EventMap,
  type EventName,
  type FailureRule,
  isEventName,
  type Model,
  type ModelCost,
  payloadMismatch,
  type ResultMap,
  type SeamEvent,
  type SessionEntry,
  type SessionHeader,
  type ThinkingLevel,
} from "../events/index.ts";

// Finding, checking and loading extensions, and the host they talk to.
export {
  type CommandOptions,
  checkExtensions,
  type DialogOptions,
  describeProblem,
  type Extension,
  type ExtensionProblem,
  type ExtensionReport,
  type ExtensionSet,
  type ExtensionUIContext,
  type FoundExtensions,
  type From,
  findExtensions,
  type Host,
  headlessUI,
  type InlineExtension,
  type LoadFailure,
  type LoadOptions,
  loadExtensions,
  type Mode,
  type ResolvedCommand,
  type Scope,
  type Source,
  type SourceInfo,
  type SourceLine,
  sourceOf,
  type ToolInfo,
} from "../extensions/index.ts";

// Seam's own agent: sessions, models, turns.
export {
  type AgentOptions,
  createAgent,
  type EmbeddedAgent,
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
} from "../host/index.ts";
export { machineSessions } from "./machine-sessions.ts";
export { recordSession } from "./record-session.ts";
