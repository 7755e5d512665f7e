/**
 * Every event, and what a handler of it may return. Written by `npm run docs` from the
 * declarations in `catalog/`, and checked against them: change those, not this file.
 */
import type { BoundaryContext, EntryDraft, InjectedMessage } from "./catalog/run.ts";
import type { BashOutcome, UserBashOperations } from "./catalog/user.ts";
import type { ImageContent, TextContent } from "./content.ts";
import type { EventIds } from "./declaration.ts";
import type { AgentMessage, AssistantMessageEvent, ToolResultMessage } from "./messages.ts";
import type { Model } from "./model.ts";
import type { Goal, GoalModeState, Rule, TodoItem } from "./notices.ts";
import type {
  BranchSummaryEntry,
  CompactionEntry,
  CompactionPreparation,
  CompactionResult,
  SessionEntry,
  TreePreparation,
} from "./session-entries.ts";

// ---- The session ----

/** A session was started, loaded or reloaded. */
export interface SessionStartEvent extends EventIds {
  type: "session_start";
  /** Why it begins: Seam started, extensions were loaded anew, or it replaced another one. */
  reason?: "startup" | "reload" | "new" | "resume" | "fork";
  /** The file of the session before, if it has one. */
  previousSessionFile?: string;
}

/**
 * The project has extensions that nobody agreed to: an extension of the user's can decide.
 * The first handler that answers decides.
 */
export interface ProjectTrustEvent extends EventIds {
  type: "project_trust";
  /** The folder the session works in. */
  cwd: string;
}

/** What a handler of `project_trust` may return. */
export interface ProjectTrustResult {
  /** They run, or do not. `undecided` leaves it to the next handler, and to `seam trust`. */
  trusted: "yes" | "no";
  /** With `yes`: for good, as with `seam trust`. */
  remember?: boolean;
}

/** An extension registered an MCP server after the session had begun, or took one away. */
export interface McpServersChangeEvent extends EventIds {
  type: "mcp_servers_change";
  /** All servers that extensions registered. */
  servers: { name: string; config: Record<string, unknown>; extensionPath: string }[];
}

/** The session got another name. */
export interface SessionInfoChangedEvent extends EventIds {
  type: "session_info_changed";
  /** The name from now on; none if it was taken away. */
  name?: string;
}

/** Before another session takes the place of this one. The first handler that says no wins. */
export interface SessionBeforeSwitchEvent extends EventIds {
  type: "session_before_switch";
  /** The session that takes its place is a new one, an earlier one, or made from this one. */
  reason: "new" | "resume" | "fork";
  /** The file of the session that follows, if it is known. */
  targetSessionFile?: string;
}

/** What a handler of `session_before_switch` may return. */
export interface SessionBeforeSwitchResult {
  /** Stop: nothing happens. */
  cancel?: boolean;
}

/** Another session took the place of the previous one. */
export interface SessionSwitchEvent extends EventIds {
  type: "session_switch";
  /** The session that takes its place is a new one, an earlier one, or made from this one. */
  reason: "new" | "resume" | "fork";
  /** The file of the session before, if it has one. */
  previousSessionFile?: string;
}

/**
 * Before a new session is made from an entry of this one. The first handler that says no
 * wins.
 */
export interface SessionBeforeForkEvent extends EventIds {
  type: "session_before_fork";
  /** The entry the new session is made from. */
  entryId: string;
  /** Whether the entry itself goes along. */
  position?: "before" | "at";
}

/** What a handler of `session_before_fork` may return. */
export interface SessionBeforeForkResult {
  /** Stop: nothing happens. */
  cancel?: boolean;
  /** Make the session, leave the conversation as it is. */
  skipConversationRestore?: boolean;
}

/**
 * The same moment as session_before_fork, under oh-my-pi's name. The first handler that
 * says no wins.
 */
export interface SessionBeforeBranchEvent extends EventIds {
  type: "session_before_branch";
  /** The entry the new session is made from. */
  entryId: string;
}

/** What a handler of `session_before_branch` may return. */
export interface SessionBeforeBranchResult {
  /** Stop: nothing happens. */
  cancel?: boolean;
  /** Make the session, leave the conversation as it is. */
  skipConversationRestore?: boolean;
}

/** A new session was made from an entry of the previous one. */
export interface SessionBranchEvent extends EventIds {
  type: "session_branch";
  /** The file of the session before, if it has one. */
  previousSessionFile?: string;
}

/**
 * Before the context is compacted. A handler can cancel, or bring its own summary. The
 * first handler that says no wins.
 */
export interface SessionBeforeCompactEvent extends EventIds {
  type: "session_before_compact";
  /** What would be summarised and what is kept. */
  preparation: CompactionPreparation;
  /** The session from its beginning to where it stands. */
  branchEntries: SessionEntry[];
  /** What the user wants the summary to look at. */
  customInstructions?: string;
  /** Fires when the user gives up waiting. */
  signal: AbortSignal;
  /**
   * Why now: the user asked, the context is nearly full, it was too long, nobody works, or an
   * answer was cut off.
   */
  reason?: "manual" | "threshold" | "overflow" | "idle" | "incomplete";
  /** The model is asked again when there is room. */
  willRetry?: boolean;
}

/** What a handler of `session_before_compact` may return. */
export interface SessionBeforeCompactResult {
  /** Stop: nothing happens. */
  cancel?: boolean;
  /** Used instead of asking the model. */
  compaction?: CompactionResult;
}

/**
 * The summary is about to be asked for: add context, replace the prompt, keep data. Each
 * handler sees what the one before made of it.
 */
export interface SessionCompactingEvent extends EventIds {
  type: "session.compacting";
  /** The agent's session. */
  sessionId: string;
  /** What is to be summarised. */
  messages: AgentMessage[];
  /** Added so far. */
  context?: string[];
  /** Replaced so far. */
  prompt?: string;
  /** Kept so far. */
  preserveData?: Record<string, unknown>;
}

/** What a handler of `session.compacting` may return. */
export interface SessionCompactingResult {
  /** Lines the summary must consider. */
  context?: string[];
  /** Used instead of the built-in prompt. */
  prompt?: string;
  /** Kept with the summary, for extensions. */
  preserveData?: Record<string, unknown>;
}

/** The context was compacted and the summary is on disk. */
export interface SessionCompactEvent extends EventIds {
  type: "session_compact";
  /** The entry with the summary. */
  compactionEntry: CompactionEntry;
  /** The summary came from an extension. */
  fromExtension: boolean;
  /** What it was started for. */
  reason?: string;
  /** The model is asked again now. */
  willRetry?: boolean;
}

/** A compaction did not come about. */
export interface SessionCompactFailedEvent extends EventIds {
  type: "session_compact_failed";
  /** What it was started for. */
  reason: string;
  /** What went wrong. */
  errorMessage?: string;
  /** The user or an extension stopped it. */
  aborted: boolean;
  /** It is tried again. */
  willRetry: boolean;
  /** The summary would have come from an extension. */
  fromExtension?: boolean;
}

/** Before moving to another entry of the session tree. The first handler that says no wins. */
export interface SessionBeforeTreeEvent extends EventIds {
  type: "session_before_tree";
  /** Where it goes, and what is left behind. */
  preparation: TreePreparation;
  /** Fires when the user gives up waiting. */
  signal: AbortSignal;
}

/** What a handler of `session_before_tree` may return. */
export interface SessionBeforeTreeResult {
  /** Stop: nothing happens. */
  cancel?: boolean;
  /** The summary of what is left behind, if the user wants one. */
  summary?: {
    /** The text of the summary. */
    summary: string;
    /** Kept with it. */
    details?: unknown;
  };
  /** What the summary has to look at. */
  customInstructions?: string;
  /** These instructions take the place of the built-in ones. */
  replaceInstructions?: boolean;
  /** The label of the entry it goes to. */
  label?: string;
}

/** The session moved to another entry of its tree. */
export interface SessionTreeEvent extends EventIds {
  type: "session_tree";
  /** The entry at which the session stands now. */
  newLeafId: string | null;
  /** The entry at which it stood before. */
  oldLeafId: string | null;
  /** The entry with the summary of what was left behind. */
  summaryEntry?: BranchSummaryEntry;
  /** The summary came from an extension. */
  fromExtension?: boolean;
}

/** The session ends; after this every pi and ctx of it is stale. */
export interface SessionShutdownEvent extends EventIds {
  type: "session_shutdown";
  /** Why it ends: Seam ends, extensions are loaded anew, or another session takes its place. */
  reason?: "quit" | "reload" | "new" | "resume" | "fork";
  /** The file of the session that follows, if it is known. */
  targetSessionFile?: string;
}

/**
 * Skills, prompts and themes are looked for: name more paths. The answers of all handlers
 * are used.
 */
export interface ResourcesDiscoverEvent extends EventIds {
  type: "resources_discover";
  /** The folder the session works in. */
  cwd: string;
  /** The session starts, or everything is loaded anew. */
  reason: "startup" | "reload";
}

/** What a handler of `resources_discover` may return. */
export interface ResourcesDiscoverResult {
  /** Files and folders with skills. */
  skillPaths?: string[];
  /** Files and folders with prompts. */
  promptPaths?: string[];
  /** Files and folders with themes. */
  themePaths?: string[];
}

// ---- The user ----

/**
 * The user entered something: pass it on, change it, or handle it without the model. Each
 * handler sees what the one before made of it.
 */
export interface InputEvent extends EventIds {
  type: "input";
  /** What was entered. */
  text: string;
  /** The images that came with it. */
  images?: ImageContent[];
  /** It was typed, sent by the program that runs Seam, or sent by an extension. */
  source: "interactive" | "rpc" | "extension";
  /** The agent works: it is brought up before its next step, or when it would stop. */
  streamingBehavior?: "steer" | "followUp";
}

/** What a handler of `input` may return. */
export type InputEventResult =
  | /** Goes on as it was entered. */ { action: "continue" }
  | /** Goes on with this text, and these images if there are any. */ {
      action: "transform";
      text: string;
      images?: ImageContent[];
    }
  | /** Goes on with the text that was entered and these images. */ {
      action: "transform";
      images: ImageContent[];
    }
  | /** Goes no further: the model does not see it. */ { action: "handled" };

/** A person is asked something, so the agent waits. */
export interface UiPromptStartEvent extends EventIds {
  type: "ui_prompt_start";
  /** Why the agent waits. */
  reason: "ui_prompt";
  /** What is shown. */
  kind: "select" | "confirm" | "input" | "editor" | "custom";
  /** What is asked. */
  title?: string;
}

/** What a person was asked is answered or withdrawn. */
export interface UiPromptEndEvent extends EventIds {
  type: "ui_prompt_end";
  /** Why the agent waits. */
  reason: "ui_prompt";
  /** What is shown. */
  kind: "select" | "confirm" | "input" | "editor" | "custom";
  /** What is asked. */
  title?: string;
}

/**
 * The user ran a command with !: run it elsewhere, or answer it. The first handler that
 * answers decides.
 */
export interface UserBashEvent extends EventIds {
  type: "user_bash";
  /** What the user wants to run. */
  command: string;
  /** Entered with !!: the model does not see it. */
  excludeFromContext: boolean;
  /** The folder it would run in. */
  cwd: string;
}

/** What a handler of `user_bash` may return. */
export interface UserBashEventResult {
  /** Runs the command instead of Seam. */
  operations?: UserBashOperations;
  /** What the command came to: the extension ran it already. */
  result?: BashOutcome;
}

// ---- Turns and rounds ----

/**
 * After the prompt was entered, before the agent starts: add a message, change the system
 * prompt. Each handler sees what the one before made of it. `systemPromptOptions` may be
 * changed in place.
 */
export interface BeforeAgentStartEvent extends EventIds {
  type: "before_agent_start";
  /** What the user entered. */
  prompt: string;
  /** Whether a person or an extension said it. */
  messageType?: "user" | "custom";
  /** The images that came with it. */
  images?: ImageContent[];
  /** The message of the extension that said it. */
  message?: AgentMessage;
  /** The system prompt as it is so far. */
  systemPrompt: string;
  /** What the system prompt is made from. It may be changed in place; `sections` adds parts. */
  systemPromptOptions?: Record<string, unknown>;
  /** What extensions added so far. */
  messages?: InjectedMessage[];
}

/** What a handler of `before_agent_start` may return. */
export interface BeforeAgentStartEventResult {
  /** Added to the conversation after the prompt. */
  message?: InjectedMessage;
  /** Used for this turn instead of the system prompt of the event. */
  systemPrompt?: string;
}

/** A turn begins: the agent starts to work on a prompt. */
export interface AgentStartEvent extends EventIds {
  type: "agent_start";
  /** What the user asked for. */
  prompt?: string;
}

/** The agent stopped. A retry, a compaction or a queued message may still follow. */
export interface AgentEndEvent extends EventIds {
  type: "agent_end";
  /** What was said since the prompt. */
  messages: AgentMessage[];
}

/**
 * The agent is about to be idle: add entries to the session, or have the model asked once
 * more. Each handler sees what the one before made of it.
 */
export interface AgentBeforeSettleEvent extends EventIds {
  type: "agent_before_settle";
  /** What extensions add to the session so far. */
  entries: EntryDraft[];
  /** Whether the model is asked once more. */
  continue: boolean;
  /** What the model would be asked with before anything is added. */
  context?: BoundaryContext;
  /** How the work came to its end. */
  outcome: "completed" | "aborted" | "error";
}

/** What a handler of `agent_before_settle` may return. */
export interface AgentBeforeSettleEventResult {
  /** Added to the session. */
  entries?: EntryDraft[];
  /** The model is asked once more. */
  continue?: boolean;
}

/**
 * The agent would stop. A handler can send it on, with a reason for the model. The first
 * handler that says no wins.
 */
export interface SessionStopEvent extends EventIds {
  type: "session_stop";
  /** What was said since the prompt. */
  messages: AgentMessage[];
  /** The turn that would end. */
  turn_id?: string;
  /** What the model said at the end. */
  last_assistant_message?: string;
  /** The session. */
  session_id: string;
  /** Its file, if it has one. */
  session_file?: string;
  /** It was sent on already, in this turn. */
  stop_hook_active: boolean;
}

/** What a handler of `session_stop` may return. */
export interface SessionStopEventResult {
  /** It goes on. */
  continue?: boolean;
  /** What the model is told. */
  additionalContext?: string;
  /** The same, in another dialect. */
  reason?: string;
  /** The stop is refused: it goes on. */
  decision?: "block";
}

/** Truly idle: no retry, compaction or queued message will follow. */
export interface AgentSettledEvent extends EventIds {
  type: "agent_settled";
  /** The user or an extension stopped the agent. */
  aborted: boolean;
}

/** A round begins: one model call with its tool calls. */
export interface TurnStartEvent extends EventIds {
  type: "turn_start";
  /** Which round of this prompt it is, from 0. */
  turnIndex: number;
  /** When, in milliseconds since 1970. */
  timestamp: number;
}

/**
 * A round ended: add entries to the session, or have the model asked once more. Each
 * handler sees what the one before made of it.
 */
export interface TurnEndEvent extends EventIds {
  type: "turn_end";
  /** Which round of this prompt it is, from 0. */
  turnIndex: number;
  /** The model's answer. */
  message: AgentMessage;
  /** The results of the tools it called. */
  toolResults: ToolResultMessage[];
  /** The entry of the answer. */
  messageEntryId?: string;
  /** The entries of the results, in their order. */
  toolResultEntryIds?: string[];
  /** How the round ended. */
  outcome?: "completed" | "aborted" | "error";
  /** What extensions add to the session so far. */
  entries?: EntryDraft[];
  /** Whether the model is asked once more. */
  continue?: boolean;
  /** What the model would be asked with before anything is added. */
  context?: BoundaryContext;
}

/** What a handler of `turn_end` may return. */
export interface TurnEndEventResult {
  /** Added to the session. */
  entries?: EntryDraft[];
  /** The model is asked once more. */
  continue?: boolean;
}

/** The agent handed a task to a subagent. */
export interface SubagentStartEvent extends EventIds {
  type: "subagent_start";
  /** The agent's id of the subagent. */
  subagentId?: string;
  /** The tool call with which it was started. */
  toolCallId?: string;
  /** Which kind of subagent it is. */
  subagentType?: string;
  /** The task it was given. */
  taskDescription?: string;
  /** The input of the tool call with which it was started. */
  toolInput?: unknown;
}

/** A subagent finished its task. */
export interface SubagentEndEvent extends EventIds {
  type: "subagent_end";
  /** The agent's id of the subagent. */
  subagentId?: string;
  /** The tool call with which it was started. */
  toolCallId?: string;
  /** Which kind of subagent it is. */
  subagentType?: string;
  /** The task it was given. */
  taskDescription?: string;
  /** The input of the tool call with which it was started. */
  toolInput?: unknown;
  /** Its transcript on disk. */
  transcriptPath?: string;
  /** What it said at the end. */
  lastMessage?: string;
}

// ---- Messages ----

/**
 * Before each model call: change the messages that are sent. The session keeps the
 * originals. Each handler sees what the one before made of it. `messages` may be changed in
 * place.
 */
export interface ContextEvent extends EventIds {
  type: "context";
  /** The conversation as the model is about to get it. */
  messages: AgentMessage[];
}

/** What a handler of `context` may return. */
export interface ContextEventResult {
  /** Sent instead of the messages of the event. */
  messages?: AgentMessage[];
}

/**
 * The same as `context`, after it, with the system prompt as the first message. Each
 * handler sees what the one before made of it. `messages` may be changed in place.
 */
export interface ContextWithSystemEvent extends EventIds {
  type: "context_with_system";
  /** The conversation with its system message. */
  messages: AgentMessage[];
}

/** What a handler of `context_with_system` may return. */
export interface ContextWithSystemEventResult {
  /** Sent instead of the messages of the event. */
  messages?: AgentMessage[];
}

/** A message begins: from the user, the assistant or a tool. */
export interface MessageStartEvent extends EventIds {
  type: "message_start";
  /** The message as far as it is known. */
  message: AgentMessage;
}

/** A piece of the assistant's answer arrived. */
export interface MessageUpdateEvent extends EventIds {
  type: "message_update";
  /** The answer so far. */
  message: AgentMessage;
  /** The piece that arrived. */
  assistantMessageEvent: AssistantMessageEvent;
}

/**
 * A message is complete and not yet stored: replace it with one of the same role. Each
 * handler sees what the one before made of it. `message` may be changed in place.
 */
export interface MessageEndEvent extends EventIds {
  type: "message_end";
  /** The whole message. */
  message: AgentMessage;
}

/** What a handler of `message_end` may return. */
export interface MessageEndEventResult {
  /** Stored and sent instead. It has the same role and answers the same call. */
  message?: AgentMessage;
}

// ---- Models and providers ----

/**
 * The request as the provider will get it. Whatever a handler returns takes its place. Each
 * handler sees what the one before made of it. `payload` may be changed in place.
 */
export interface BeforeProviderRequestEvent extends EventIds {
  type: "before_provider_request";
  /** The body of the request, in the provider's own form. */
  payload: unknown;
}

/** What a handler of `before_provider_request` may return. */
export type BeforeProviderRequestEventResult = NonNullable<unknown> | null;

/**
 * The headers that are added to the request: change them in place. Null takes one out. Each
 * handler sees what the one before made of it. `headers` may be changed in place.
 */
export interface BeforeProviderHeadersEvent extends EventIds {
  type: "before_provider_headers";
  /** Headers of the model and of extensions, without the key. */
  headers: Record<string, string | null>;
}

/** What a handler of `before_provider_headers` may return. */
export interface BeforeProviderHeadersEventResult {
  /** Added to those of the event, or taken out where they are null. */
  headers?: Record<string, string | null>;
}

/** The provider answered; the body is not read yet. */
export interface AfterProviderResponseEvent extends EventIds {
  type: "after_provider_response";
  /** The HTTP status. */
  status: number;
  /** The headers of the answer, in lower case. */
  headers: Record<string, string>;
}

/** An event of the provider's stream, parsed, before Seam makes anything of it. */
export interface ProviderStreamEventEvent extends EventIds {
  type: "provider_stream_event";
  /** The provider that answers. */
  provider: string;
  /** The api it is asked through. */
  api: string;
  /** The model's id. */
  model: string;
  /** The event in the provider's own form; not to be changed. */
  data: unknown;
}

/** A login could not be renewed: the provider cannot be asked until somebody logs in again. */
export interface CredentialDisabledEvent extends EventIds {
  type: "credential_disabled";
  /** The provider. */
  provider: string;
  /** Why it was not renewed. */
  disabledCause: string;
}

/** Another model was chosen. */
export interface ModelSelectEvent extends EventIds {
  type: "model_select";
  /** The model from now on. */
  model: Model;
  /** The model before. */
  previousModel?: Model;
  /** It was chosen, reached by switching through the models, or brought back with a session. */
  source: "set" | "cycle" | "restore";
}

/** Another thinking level was chosen. */
export interface ThinkingLevelSelectEvent extends EventIds {
  type: "thinking_level_select";
  /** The level from now on. */
  level: string;
  /** The level before. */
  previousLevel: string;
}

// ---- Tools ----

/**
 * Before a tool runs: block it, have the user asked about it, or change its input. The
 * first handler that says no wins. `input` may be changed in place.
 */
export interface ToolCallEvent extends EventIds {
  type: "tool_call";
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** The call of the tool that made this one, if a tool did. */
  parentToolCallId?: string;
  /** What the tool is called with. */
  input: Record<string, unknown>;
  /** The agent's own name of the tool, if it has another one. */
  nativeToolName?: string;
}

/** What a handler of `tool_call` may return. */
export interface ToolCallEventResult {
  /** The call does not run. */
  block?: boolean;
  /** The user decides whether the call runs. */
  ask?: boolean;
  /** Told to the model, and to the user who is asked. */
  reason?: string;
  /** With `ask`: what happens if nobody can be asked. `block` if it is left out. */
  unanswered?: "block" | "allow";
  /** The tool is called with this instead. */
  input?: Record<string, unknown>;
  /** Told to the model as well. */
  additionalContext?: string;
  /** With `block`: the agent stops after this round. */
  terminate?: boolean;
}

/**
 * The last look: the input is final and frozen. A handler can block it, or have the user
 * asked. The first handler that says no wins.
 */
export interface ToolAdmitEvent extends EventIds {
  type: "tool_admit";
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** The call of the tool that made this one, if a tool did. */
  parentToolCallId?: string;
  /** What the tool will be called with. Frozen. */
  input: Record<string, unknown>;
  /** What the model wanted, before extensions changed it. */
  originalInput: Record<string, unknown>;
  /** Extensions that changed the input. */
  changedBy: string[];
}

/** What a handler of `tool_admit` may return. */
export interface ToolAdmitEventResult {
  /** The call does not run. */
  block?: boolean;
  /** The user decides whether the call runs. */
  ask?: boolean;
  /** Told to the model, and to the user who is asked. */
  reason?: string;
  /** With `ask`: what happens if nobody can be asked. `block` if it is left out. */
  unanswered?: "block" | "allow";
}

/**
 * A tool has run: change what the model and the session get to see. Each handler sees what
 * the one before made of it. `content` and `details` may be changed in place.
 */
export interface ToolResultEvent extends EventIds {
  type: "tool_result";
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** The call of the tool that made this one, if a tool did. */
  parentToolCallId?: string;
  /** What the tool was called with. */
  input: Record<string, unknown>;
  /** What the model gets to see of the result. */
  content: (TextContent | ImageContent)[];
  /** What the tool keeps beside it, for people and extensions. */
  details?: unknown;
  /** The tool failed. */
  isError: boolean;
  /** The result as a value, of tools that give one. */
  structuredContent?: unknown;
  /** What the tool itself used of models. */
  usage?: unknown;
}

/** What a handler of `tool_result` may return. */
export interface ToolResultEventResult {
  /** The value instead. */
  structuredContent?: unknown;
  /** The model sees this instead. */
  content?: (TextContent | ImageContent)[];
  /** Kept instead. */
  details?: unknown;
  /** Whether it counts as a failure. */
  isError?: boolean;
  /** What it used of models, instead. */
  usage?: unknown;
}

/** A tool call begins. */
export interface ToolExecutionStartEvent extends EventIds {
  type: "tool_execution_start";
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** The call of the tool that made this one, if a tool did. */
  parentToolCallId?: string;
  /** What the tool is called with. */
  args: unknown;
}

/** A running tool reported progress. */
export interface ToolExecutionUpdateEvent extends EventIds {
  type: "tool_execution_update";
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** The call of the tool that made this one, if a tool did. */
  parentToolCallId?: string;
  /** What the tool is called with. */
  args: unknown;
  /** The result so far. */
  partialResult: unknown;
}

/** A tool call ended; also when it was blocked, failed or was aborted. */
export interface ToolExecutionEndEvent extends EventIds {
  type: "tool_execution_end";
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** The call of the tool that made this one, if a tool did. */
  parentToolCallId?: string;
  /** What the tool returned, or why it did not run. */
  result: unknown;
  /** It failed or did not run. */
  isError: boolean;
  /** How long it took, in milliseconds. */
  durationMs?: number;
  /** It did not run: who stopped it and why. */
  blocked?: {
    /** Why, as the model was told. */
    reason: string;
    /** The extension that stopped it. */
    by?: string;
  };
}

/** A person is asked whether a call may run. */
export interface ToolApprovalRequestedEvent extends EventIds {
  type: "tool_approval_requested";
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** The call of the tool that made this one, if a tool did. */
  parentToolCallId?: string;
  /** Why it is asked about. */
  reason?: string;
}

/** The person answered, or nobody did. */
export interface ToolApprovalResolvedEvent extends EventIds {
  type: "tool_approval_resolved";
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** The call of the tool that made this one, if a tool did. */
  parentToolCallId?: string;
  /** The call may run. */
  approved: boolean;
  /** Why it was asked about. */
  reason?: string;
}

/**
 * The entry of a tool result is formed and not yet written; it is, once the handlers are
 * done or out of time. Also of calls that were stopped.
 */
export interface BeforeToolCallPersistEvent extends EventIds {
  type: "before_tool_call_persist";
  /** The id of the session. */
  sessionKey: string;
  /** The agent whose session it is. */
  agentId: string;
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** What ran, or what the model wanted if nothing did. */
  toolInput: unknown;
  /** What the model wanted, if an extension changed it. */
  originalInput?: unknown;
  /** Id of the entry the call is stored under. */
  messageId: string;
}

/**
 * The entry of a tool result is on disk; `toolResult` is what was stored. Of a call that
 * was stopped it says why.
 */
export interface AfterToolCallPersistEvent extends EventIds {
  type: "after_tool_call_persist";
  /** The id of the session. */
  sessionKey: string;
  /** The agent whose session it is. */
  agentId: string;
  /** Normalised: bash, read, write, edit … */
  toolName: string;
  /** The agent's id of this call. */
  toolCallId: string;
  /** What ran, or what the model wanted if nothing did. */
  toolInput: unknown;
  /** What the model wanted, if an extension changed it. */
  originalInput?: unknown;
  /** Id of the entry the call is stored under. */
  messageId: string;
  /** What was stored as its result. */
  toolResult: unknown;
}

/** A skill was used, by the model or by the user. */
export interface SkillInvokedEvent extends EventIds {
  type: "skill_invoked";
  /** Which skill, who used it, and how it is known. */
  skillEvent: SkillEvent;
}

// ---- Notices ----

/** The context is about to be compacted without being asked. */
export interface AutoCompactionStartEvent extends EventIds {
  type: "auto_compaction_start";
  /**
   * Why now: the context is nearly full, it was too long, nobody works, or an answer was cut
   * off.
   */
  reason: "threshold" | "overflow" | "idle" | "incomplete";
  /** How the context is made smaller. Seam itself only knows `context-full`, a summary. */
  action: "context-full" | "handoff" | "shake";
}

/** An automatic compaction ended, one way or another. */
export interface AutoCompactionEndEvent extends EventIds {
  type: "auto_compaction_end";
  /** How the context is made smaller. Seam itself only knows `context-full`, a summary. */
  action: "context-full" | "handoff" | "shake";
  /** The summary, if there is one. */
  result?: CompactionResult;
  /** The user or an extension stopped it. */
  aborted: boolean;
  /** The model is asked again now. */
  willRetry: boolean;
  /** Why there is no summary. */
  errorMessage?: string;
  /** There was nothing to compact. */
  skipped?: boolean;
}

/** A model call failed and will be tried again. */
export interface AutoRetryStartEvent extends EventIds {
  type: "auto_retry_start";
  /** Which attempt is next, from 1. */
  attempt: number;
  /** How many attempts there are at most. */
  maxAttempts: number;
  /** Milliseconds until the next attempt. */
  delayMs: number;
  /** Why the call failed. */
  errorMessage: string;
}

/** Trying again is over. */
export interface AutoRetryEndEvent extends EventIds {
  type: "auto_retry_end";
  /** An attempt succeeded. */
  success: boolean;
  /** The attempt that was the last one. */
  attempt: number;
  /** Why the last attempt failed. */
  finalError?: string;
}

/** A model failed too often; another one goes on with the turn. */
export interface RetryFallbackAppliedEvent extends EventIds {
  type: "retry_fallback_applied";
  /** The model that failed: provider/id. */
  from: string;
  /** The model that goes on: provider/id. */
  to: string;
  /** What the model is for; Seam has one role, `default`. */
  role: string;
  /** Why the model failed. */
  reason?: string;
}

/** The model that stood in has answered. */
export interface RetryFallbackSucceededEvent extends EventIds {
  type: "retry_fallback_succeeded";
  /** The model that answered: provider/id. */
  model: string;
  /** What the model is for; Seam has one role, `default`. */
  role: string;
}

/** An MCP server that an extension registered said something by itself. */
export interface McpNotificationEvent extends EventIds {
  type: "mcp_notification";
  /** The server, by its name. */
  server: string;
  /** What it is about, in MCP's words. */
  method: string;
  /** What it said. */
  params?: unknown;
}

/** A rule recognised a pattern in the model's output. */
export interface TtsrTriggeredEvent extends EventIds {
  type: "ttsr_triggered";
  /** The rules whose pattern was found. */
  rules: Rule[];
}

/** The agent stopped with open todos and is reminded of them. */
export interface TodoReminderEvent extends EventIds {
  type: "todo_reminder";
  /** What is still open. */
  todos: TodoItem[];
  /** Which reminder this is, from 1. */
  attempt: number;
  /** How many reminders there are at most. */
  maxAttempts: number;
}

/** The session's goal was set, changed or dropped. */
export interface GoalUpdatedEvent extends EventIds {
  type: "goal_updated";
  /** The goal as it is now; null if there is none any more. */
  goal: Goal | null;
  /** Whether the agent works towards it. */
  state?: GoalModeState;
}

// ---- Crews ----

/**
 * Before a crew begins a run. Block it, and nothing is started. The first handler that says
 * no wins.
 */
export interface CrewRunStartEvent extends EventIds {
  type: "crew_run_start";
  /** The id of the run. */
  run: string;
  /** What the crew is to do. */
  goal: string;
  /** The name of the workflow. */
  workflow: string;
  /** The tasks there are before it starts. */
  tasks: { id: string; role: string; verify: string[] }[];
}

/** What a handler of `crew_run_start` may return. */
export interface CrewRunStartEventResult {
  /** It does not happen. */
  block?: boolean;
  /** Kept with the run, and shown to whoever looks at it. */
  reason?: string;
}

/** A run ended. */
export interface CrewRunEndEvent extends EventIds {
  type: "crew_run_end";
  /** The id of the run. */
  run: string;
  /** What the crew is to do. */
  goal: string;
  /** The name of the workflow. */
  workflow: string;
  /** How it ended. */
  state: "done" | "failed" | "cancelled";
  /** Why it ended so, if there is more to say. */
  reason?: string;
  /** What was used. */
  use: {
    /** US dollars, as far as they are known. */
    dollars?: number;
    /** Tokens of all model calls. */
    tokens: number;
    /** Minutes that agents worked. */
    minutes: number;
    /** Turns of agents. */
    turns: number;
  };
}

/**
 * Before an agent begins a task, also when it is tried again. Block it, and the task fails.
 * The first handler that says no wins.
 */
export interface CrewTaskStartEvent extends EventIds {
  type: "crew_task_start";
  /** The id of the run. */
  run: string;
  /** The id of the task in the run. */
  task: string;
  /** What the task is called. */
  title: string;
  /** The role of the agent that does it. */
  role: string;
  /** The agent that is to do it. */
  agent: string;
  /** The model it is to use, if one is named. */
  model?: string;
  /** Which attempt this is, from 1. */
  attempt: number;
}

/** What a handler of `crew_task_start` may return. */
export interface CrewTaskStartEventResult {
  /** It does not happen. */
  block?: boolean;
  /** Kept with the run, and shown to whoever looks at it. */
  reason?: string;
}

/** A task ended: its work is merged, or it failed, was skipped or cancelled. */
export interface CrewTaskEndEvent extends EventIds {
  type: "crew_task_end";
  /** The id of the run. */
  run: string;
  /** The id of the task in the run. */
  task: string;
  /** What the task is called. */
  title: string;
  /** The role of the agent that does it. */
  role: string;
  /** How it ended. */
  state: "done" | "failed" | "skipped" | "cancelled";
  /** Why it ended so, if there is more to say. */
  reason?: string;
  /** What it returned. */
  result?: unknown;
  /** What was used. */
  use: {
    /** US dollars, as far as they are known. */
    dollars?: number;
    /** Tokens of all model calls. */
    tokens: number;
    /** Minutes that agents worked. */
    minutes: number;
    /** Turns of agents. */
    turns: number;
  };
}

/**
 * Before a message of one task to another is delivered. Block it, and it is kept
 * undelivered. The first handler that says no wins.
 */
export interface CrewMessageEvent extends EventIds {
  type: "crew_message";
  /** The id of the run. */
  run: string;
  /** The task that sends it, or `person`. */
  from: string;
  /** The task it is for, or `all`. */
  to: string;
  /** The message. */
  text: string;
}

/** What a handler of `crew_message` may return. */
export interface CrewMessageEventResult {
  /** It does not happen. */
  block?: boolean;
  /** Kept with the run, and shown to whoever looks at it. */
  reason?: string;
}

/**
 * Before work that was proved is merged. Block it, and it waits for a person. The first
 * handler that says no wins.
 */
export interface CrewMergeEvent extends EventIds {
  type: "crew_merge";
  /** The id of the run. */
  run: string;
  /** The tasks whose work it is. */
  tasks: string[];
  /** The branch it goes to. */
  target: string;
  /** The commit that the branch would be at. */
  commit: string;
  /** The files that change. */
  files: string[];
}

/** What a handler of `crew_merge` may return. */
export interface CrewMergeEventResult {
  /** It does not happen. */
  block?: boolean;
  /** Kept with the run, and shown to whoever looks at it. */
  reason?: string;
}

/** A budget is nearly or wholly used up. */
export interface CrewBudgetEvent extends EventIds {
  type: "crew_budget";
  /** The id of the run. */
  run: string;
  /** The task whose budget it is, if it is one's. */
  task?: string;
  /** What the budget is for. */
  of: "task" | "run" | "day";
  /** Four fifths of it are used, or all. */
  state: "near" | "over";
  /** How much of what, in words. */
  text: string;
  /** What was used. */
  use: {
    /** US dollars, as far as they are known. */
    dollars?: number;
    /** Tokens of all model calls. */
    tokens: number;
    /** Minutes that agents worked. */
    minutes: number;
    /** Turns of agents. */
    turns: number;
  };
}

// ---- All of them ----

/** One use of a skill, in the JSON it is stored in. */
export interface SkillEvent {
  /** Stable where the agent gives one; duplicates share it. */
  id?: string;
  /** The model called the skill as a tool, or the user named it in a prompt. */
  event_type: "tool_invocation" | "prompt_invocation";
  /** The skill that was used. */
  skill: {
    /** The skill's name. */
    name: string;
  };
  /** Where it is known from. */
  source: {
    /** Registry name, such as claude-code. */
    agent: string;
    /** What in the transcript says so. */
    signal: "skill_tool_use" | "input_slash_command";
    /** The agent itself says so. */
    confidence: "explicit";
  };
  /** The turn it was used in. */
  turn_id?: string;
  /** When, as an ISO date. */
  timestamp?: string;
  /** Where in the transcript it is. */
  transcript_anchor?: {
    /** What start and end count: line. */
    unit: string;
    /** Where it begins. */
    start: number;
    /** Where it ends. */
    end: number;
    /** The agent's ids of these entries. */
    entry_ids?: string[];
    /** The agent's id of the call. */
    tool_use_id?: string;
  };
  /** What the agent itself says of it. */
  native?: Record<string, unknown>;
  /** How a viewer folds it. */
  collapse?: {
    /** What is folded. */
    target: "tool_pair" | "user_message";
    /** What is shown instead. */
    label: string;
    /** Whether it is folded at first. */
    default_collapsed: boolean;
  };
}

/** What both events around the storing of a tool call carry. */
export interface ToolCallPersistEvent extends Omit<BeforeToolCallPersistEvent, "type"> {
  type: "before_tool_call_persist" | "after_tool_call_persist";
  /** What was stored; only after it was. */
  toolResult?: unknown;
}

/** Any event of a session's life, or of its goal. */
export type SessionEvent =
  | SessionStartEvent
  | ProjectTrustEvent
  | McpServersChangeEvent
  | SessionInfoChangedEvent
  | SessionBeforeSwitchEvent
  | SessionSwitchEvent
  | SessionBeforeForkEvent
  | SessionBeforeBranchEvent
  | SessionBranchEvent
  | SessionBeforeCompactEvent
  | SessionCompactingEvent
  | SessionCompactEvent
  | SessionCompactFailedEvent
  | SessionBeforeTreeEvent
  | SessionTreeEvent
  | SessionShutdownEvent
  | ResourcesDiscoverEvent
  | GoalUpdatedEvent;

/** The event of each name. */
export interface EventMap {
  session_start: SessionStartEvent;
  project_trust: ProjectTrustEvent;
  mcp_servers_change: McpServersChangeEvent;
  session_info_changed: SessionInfoChangedEvent;
  session_before_switch: SessionBeforeSwitchEvent;
  session_switch: SessionSwitchEvent;
  session_before_fork: SessionBeforeForkEvent;
  session_before_branch: SessionBeforeBranchEvent;
  session_branch: SessionBranchEvent;
  session_before_compact: SessionBeforeCompactEvent;
  "session.compacting": SessionCompactingEvent;
  session_compact: SessionCompactEvent;
  session_compact_failed: SessionCompactFailedEvent;
  session_before_tree: SessionBeforeTreeEvent;
  session_tree: SessionTreeEvent;
  session_shutdown: SessionShutdownEvent;
  resources_discover: ResourcesDiscoverEvent;
  input: InputEvent;
  ui_prompt_start: UiPromptStartEvent;
  ui_prompt_end: UiPromptEndEvent;
  user_bash: UserBashEvent;
  before_agent_start: BeforeAgentStartEvent;
  agent_start: AgentStartEvent;
  agent_end: AgentEndEvent;
  agent_before_settle: AgentBeforeSettleEvent;
  session_stop: SessionStopEvent;
  agent_settled: AgentSettledEvent;
  turn_start: TurnStartEvent;
  turn_end: TurnEndEvent;
  subagent_start: SubagentStartEvent;
  subagent_end: SubagentEndEvent;
  context: ContextEvent;
  context_with_system: ContextWithSystemEvent;
  message_start: MessageStartEvent;
  message_update: MessageUpdateEvent;
  message_end: MessageEndEvent;
  before_provider_request: BeforeProviderRequestEvent;
  before_provider_headers: BeforeProviderHeadersEvent;
  after_provider_response: AfterProviderResponseEvent;
  provider_stream_event: ProviderStreamEventEvent;
  credential_disabled: CredentialDisabledEvent;
  model_select: ModelSelectEvent;
  thinking_level_select: ThinkingLevelSelectEvent;
  tool_call: ToolCallEvent;
  tool_admit: ToolAdmitEvent;
  tool_result: ToolResultEvent;
  tool_execution_start: ToolExecutionStartEvent;
  tool_execution_update: ToolExecutionUpdateEvent;
  tool_execution_end: ToolExecutionEndEvent;
  tool_approval_requested: ToolApprovalRequestedEvent;
  tool_approval_resolved: ToolApprovalResolvedEvent;
  before_tool_call_persist: BeforeToolCallPersistEvent;
  after_tool_call_persist: AfterToolCallPersistEvent;
  skill_invoked: SkillInvokedEvent;
  auto_compaction_start: AutoCompactionStartEvent;
  auto_compaction_end: AutoCompactionEndEvent;
  auto_retry_start: AutoRetryStartEvent;
  auto_retry_end: AutoRetryEndEvent;
  retry_fallback_applied: RetryFallbackAppliedEvent;
  retry_fallback_succeeded: RetryFallbackSucceededEvent;
  mcp_notification: McpNotificationEvent;
  ttsr_triggered: TtsrTriggeredEvent;
  todo_reminder: TodoReminderEvent;
  goal_updated: GoalUpdatedEvent;
  crew_run_start: CrewRunStartEvent;
  crew_run_end: CrewRunEndEvent;
  crew_task_start: CrewTaskStartEvent;
  crew_task_end: CrewTaskEndEvent;
  crew_message: CrewMessageEvent;
  crew_merge: CrewMergeEvent;
  crew_budget: CrewBudgetEvent;
}

/** What the handlers of each event may return. */
export interface ResultMap {
  session_start: undefined;
  project_trust: ProjectTrustResult;
  mcp_servers_change: undefined;
  session_info_changed: undefined;
  session_before_switch: SessionBeforeSwitchResult;
  session_switch: undefined;
  session_before_fork: SessionBeforeForkResult;
  session_before_branch: SessionBeforeBranchResult;
  session_branch: undefined;
  session_before_compact: SessionBeforeCompactResult;
  "session.compacting": SessionCompactingResult;
  session_compact: undefined;
  session_compact_failed: undefined;
  session_before_tree: SessionBeforeTreeResult;
  session_tree: undefined;
  session_shutdown: undefined;
  resources_discover: ResourcesDiscoverResult;
  input: InputEventResult;
  ui_prompt_start: undefined;
  ui_prompt_end: undefined;
  user_bash: UserBashEventResult;
  before_agent_start: BeforeAgentStartEventResult;
  agent_start: undefined;
  agent_end: undefined;
  agent_before_settle: AgentBeforeSettleEventResult;
  session_stop: SessionStopEventResult;
  agent_settled: undefined;
  turn_start: undefined;
  turn_end: TurnEndEventResult;
  subagent_start: undefined;
  subagent_end: undefined;
  context: ContextEventResult;
  context_with_system: ContextWithSystemEventResult;
  message_start: undefined;
  message_update: undefined;
  message_end: MessageEndEventResult;
  before_provider_request: BeforeProviderRequestEventResult;
  before_provider_headers: BeforeProviderHeadersEventResult;
  after_provider_response: undefined;
  provider_stream_event: undefined;
  credential_disabled: undefined;
  model_select: undefined;
  thinking_level_select: undefined;
  tool_call: ToolCallEventResult;
  tool_admit: ToolAdmitEventResult;
  tool_result: ToolResultEventResult;
  tool_execution_start: undefined;
  tool_execution_update: undefined;
  tool_execution_end: undefined;
  tool_approval_requested: undefined;
  tool_approval_resolved: undefined;
  before_tool_call_persist: undefined;
  after_tool_call_persist: undefined;
  skill_invoked: undefined;
  auto_compaction_start: undefined;
  auto_compaction_end: undefined;
  auto_retry_start: undefined;
  auto_retry_end: undefined;
  retry_fallback_applied: undefined;
  retry_fallback_succeeded: undefined;
  mcp_notification: undefined;
  ttsr_triggered: undefined;
  todo_reminder: undefined;
  goal_updated: undefined;
  crew_run_start: CrewRunStartEventResult;
  crew_run_end: undefined;
  crew_task_start: CrewTaskStartEventResult;
  crew_task_end: undefined;
  crew_message: CrewMessageEventResult;
  crew_merge: CrewMergeEventResult;
  crew_budget: undefined;
}
