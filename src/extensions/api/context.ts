import type {
  CompactionResult,
  CustomMessage,
  EventName,
  Model,
  ThinkingLevel,
  UserContent,
} from "../../events/index.ts";
import type { ModelRegistry, ScopedModel } from "./models.ts";
import type { ReadonlySessionManager } from "./session.ts";
import type { SystemPromptOptions } from "./system-prompt-options.ts";
import type { ExtensionUIContext } from "./ui.ts";

/** How Seam is being used. `hook`: behind another agent's hooks. */
export type Mode = "tui" | "rpc" | "json" | "print" | "hook" | "test";

/** How much of the model's context the conversation takes up. */
export interface ContextUsage {
  /** Null right after a compaction, before the next answer. */
  tokens: number | null;
  contextWindow: number;
  percent: number | null;
}

export interface CompactOptions {
  customInstructions?: string;
  onComplete?: (result: CompactionResult) => void;
  onError?: (error: Error) => void;
}

/**
 * What a handler can reach while it runs.
 *
 * @example
 * pi.on("session_start", (_event, ctx) => {
 *   ctx.ui.notify(`Working in ${ctx.cwd} with ${ctx.model?.name ?? "no model"}.`);
 * });
 */
export interface ExtensionContext {
  /** Dialogs, notices and the screen. Where nobody is there, dialogs answer as if dismissed. */
  readonly ui: ExtensionUIContext;
  /** Whether a person can be asked. */
  readonly hasUI: boolean;
  readonly mode: Mode;
  /** The folder the agent works in. */
  readonly cwd: string;
  /** The session, to be read. */
  readonly sessionManager: ReadonlySessionManager;
  /** The models there are, and the way to ask one. */
  readonly modelRegistry: ModelRegistry;
  /** The model that answers; undefined where nobody knows it. */
  readonly model: Model | undefined;
  /** The models the user wants to choose from, by `enabledModels`; none if all will do. */
  readonly scopedModels: readonly ScopedModel[];
  /** How hard the model thinks. */
  readonly thinkingLevel: ThinkingLevel;
  /** Fires when the agent is aborted or nobody waits for this handler any more. */
  readonly signal: AbortSignal | undefined;
  /** Whether the running agent honours what handlers of this event return. */
  can(event: EventName): boolean;
  /** Whether the agent has nothing to do. */
  isIdle(): boolean;
  /** Whether the user agreed to the extensions and settings of this project. */
  isProjectTrusted(): boolean;
  /** Stops the work that is going on. */
  abort(): void;
  /** Whether messages wait for the agent. */
  hasPendingMessages(): boolean;
  /** Asks for the end of the program. */
  shutdown(): void;
  /** How full the model's context is; undefined where nobody knows. */
  getContextUsage(): ContextUsage | undefined;
  /** Starts a compaction; does not wait for it. */
  compact(options?: CompactOptions): void;
  /** The system prompt of the present turn. */
  getSystemPrompt(): string;
  /** A timer that is cleared when the session ends. */
  setTimeout(run: () => unknown, ms: number): NodeJS.Timeout;
  /** A timer that is cleared when the session ends. */
  setInterval(run: () => unknown, ms: number): NodeJS.Timeout;
  clearTimer(timer: NodeJS.Timeout): void;
}

export interface Cancelled {
  cancelled: boolean;
}

export type WithSession = (ctx: ReplacedSessionContext) => Promise<void> | void;

/** A session while it is being set up. */
export interface NewSession extends ReadonlySessionManager {
  appendMessage(message: unknown): string;
  appendCustomEntry(customType: string, data?: unknown): string;
  appendCustomMessageEntry(
    customType: string,
    content: string | UserContent[],
    display: boolean,
    details?: unknown,
  ): string;
}

export interface NewSessionOptions {
  parentSession?: string;
  setup?: (session: NewSession) => Promise<void> | void;
  withSession?: WithSession;
}

export interface ForkSessionOptions {
  position?: "before" | "at";
  withSession?: WithSession;
}

export interface SwitchSessionOptions {
  withSession?: WithSession;
}

/** What a command can do beyond a handler: it was started by the user. */
export interface ExtensionCommandContext extends ExtensionContext {
  /** What the system prompt is made from. */
  getSystemPromptOptions(): SystemPromptOptions;
  /** Resolves when the agent has nothing to do any more. */
  waitForIdle(): Promise<void>;
  /** Begins a new session. */
  newSession(options?: NewSessionOptions): Promise<Cancelled>;
  /** Begins a new session with the conversation up to an entry. */
  fork(entryId: string, options?: ForkSessionOptions): Promise<Cancelled>;
  /** Goes to another entry of the session. */
  navigateTree(
    targetId: string,
    options?: {
      summarize?: boolean;
      customInstructions?: string;
      replaceInstructions?: boolean;
      label?: string;
    },
  ): Promise<Cancelled>;
  /** Opens a saved session. */
  switchSession(sessionPath: string, options?: SwitchSessionOptions): Promise<Cancelled>;
  /** Loads extensions, skills and prompts anew. */
  reload(): Promise<void>;
}

export type OutgoingMessage<Details = unknown> = Pick<
  CustomMessage<Details>,
  "customType" | "content" | "display" | "details"
>;

export interface SendMessageOptions {
  triggerTurn?: boolean;
  deliverAs?: "steer" | "followUp" | "nextTurn";
}

export interface SendUserMessageOptions {
  deliverAs?: "steer" | "followUp";
  /** Commands are run, skills and prompt templates expanded, as if the user had typed the text. */
  expandPromptTemplates?: boolean;
}

/** The context of the session that took the place of the one a command ran in. */
export interface ReplacedSessionContext extends ExtensionCommandContext {
  sendMessage<Details = unknown>(
    message: OutgoingMessage<Details>,
    options?: SendMessageOptions,
  ): Promise<void>;
  sendUserMessage(content: string | UserContent[], options?: SendUserMessageOptions): Promise<void>;
}
