/**
 * `agentseam`: what the author of an extension needs. Programs that run extensions or the agent
 * themselves import from `agentseam/host`.
 *
 * @example
 * import type { ExtensionAPI } from "agentseam";
 *
 * export default function (pi: ExtensionAPI) {
 *   pi.on("tool_call", (event) => {
 *     if (event.toolName === "bash" && /\brm -rf\b/.test(String(event.input.command))) {
 *       return { block: true, reason: "Nothing is deleted recursively here." };
 *     }
 *   });
 * }
 */

/** Describes the parameters of a tool, as a JSON schema with its TypeScript type. */
export { Type } from "typebox";

export type { HandlerOptions } from "../dispatch/index.ts";

export { SeamError } from "../errors/index.ts";
// Every event, what its handlers may return, and what events are made of.
export type {
  AfterProviderResponseEvent,
  AfterToolCallPersistEvent,
  AgentEndEvent,
  AgentMessage,
  AgentSettledEvent,
  AgentStartEvent,
  AssistantMessage,
  AutoCompactionEndEvent,
  AutoCompactionStartEvent,
  AutoRetryEndEvent,
  AutoRetryStartEvent,
  BeforeAgentStartEvent,
  BeforeAgentStartEventResult,
  BeforeProviderRequestEvent,
  BeforeProviderRequestEventResult,
  BeforeToolCallPersistEvent,
  BranchSummaryEntry,
  CompactionEntry,
  CompactionPreparation,
  CompactionResult,
  ContextEvent,
  ContextEventResult,
  CustomMessage,
  Goal,
  GoalModeState,
  GoalUpdatedEvent,
  ImageContent,
  InputEvent,
  InputEventResult,
  Message,
  MessageEndEvent,
  MessageEndEventResult,
  MessageStartEvent,
  MessageUpdateEvent,
  Model,
  ModelSelectEvent,
  ResourcesDiscoverEvent,
  ResourcesDiscoverResult,
  Rule,
  SessionBeforeBranchEvent,
  SessionBeforeBranchResult,
  SessionBeforeCompactEvent,
  SessionBeforeCompactResult,
  SessionBeforeForkEvent,
  SessionBeforeForkResult,
  SessionBeforeSwitchEvent,
  SessionBeforeSwitchResult,
  SessionBeforeTreeEvent,
  SessionBeforeTreeResult,
  SessionBranchEvent,
  SessionCompactEvent,
  SessionCompactFailedEvent,
  SessionCompactingEvent,
  SessionCompactingResult,
  SessionEntry,
  SessionEvent,
  SessionShutdownEvent,
  SessionStartEvent,
  SessionSwitchEvent,
  SessionTreeEvent,
  SkillEvent,
  SkillInvokedEvent,
  SubagentEndEvent,
  SubagentStartEvent,
  TextContent,
  ThinkingLevel,
  ThinkingLevelSelectEvent,
  TodoItem,
  TodoReminderEvent,
  ToolAdmitEvent,
  ToolAdmitEventResult,
  ToolCall,
  ToolCallEvent,
  ToolCallEventResult,
  ToolCallPersistEvent,
  ToolExecutionEndEvent,
  ToolExecutionStartEvent,
  ToolExecutionUpdateEvent,
  ToolResultEvent,
  ToolResultEventResult,
  ToolResultMessage,
  TreePreparation,
  TtsrTriggeredEvent,
  TurnEndEvent,
  TurnStartEvent,
  Usage,
  UserBashEvent,
  UserBashEventResult,
  UserMessage,
} from "../events/index.ts";

// Working with events.
export {
  type BashToolResultEvent,
  convertToLlm,
  type EditToolResultEvent,
  EVENT_NAMES,
  type EventName,
  type FindToolResultEvent,
  type GrepToolResultEvent,
  isBashToolResult,
  isEditToolResult,
  isFindToolResult,
  isGrepToolResult,
  isLsToolResult,
  isReadToolResult,
  isToolCallEventType,
  isWriteToolResult,
  type LsToolResultEvent,
  type ReadToolResultEvent,
  type SeamEvent,
  serializeConversation,
  type WriteToolResultEvent,
} from "../events/index.ts";

// What an extension is given, and what it registers.
export {
  createAssistantMessageEventStream,
  defineTool,
  type ExecResult,
  type ExtensionAPI,
  type ExtensionCommandContext,
  type ExtensionContext,
  type ExtensionFactory,
  type ExtensionHandler,
  type ExtensionUIContext,
  type Logger,
  type ModelRegistry,
  type ProviderConfig,
  parseFrontmatter,
  type ReadonlySessionManager,
  stripFrontmatter,
  type ToolDefinition,
} from "../extensions/index.ts";

// The tools every agent has, to wrap or to run elsewhere, and a reader of shell commands.
export {
  createBashTool,
  createEditTool,
  createFindTool,
  createGrepTool,
  createLsTool,
  createReadTool,
  createWriteTool,
  pathFits,
  readShell,
  SHELL_UNKNOWN,
  type ShellCommand,
  type ShellWrite,
  shellCommandIn,
  type ToolResult,
  truncateHead,
  truncateTail,
} from "../tools/index.ts";
