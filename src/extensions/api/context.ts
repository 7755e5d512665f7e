import type {
  CompactionResult,
  CustomMessage,
  EventName,
  Model,
  UserContent,
} from "../../events/index.ts";
import type { ModelRegistry } from "./models.ts";
import type { ReadonlySessionManager } from "./session.ts";
import type { ExtensionUIContext } from "./ui.ts";

/** How Seam is being used. `hook`: behind another agent's hooks. */
export type Mode = "tui" | "rpc" | "json" | "print" | "hook" | "test";

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

/** What a handler can reach while it runs. */
export interface ExtensionContext {
  readonly ui: ExtensionUIContext;
  /** Whether a person can be asked. */
  readonly hasUI: boolean;
  readonly mode: Mode;
  readonly cwd: string;
  readonly sessionManager: ReadonlySessionManager;
  readonly modelRegistry: ModelRegistry;
  readonly model: Model | undefined;
  /** Fires when the agent is aborted or nobody waits for this handler any more. */
  readonly signal: AbortSignal | undefined;
  /** Whether the running agent honours what handlers of this event return. */
  can(event: EventName): boolean;
  isIdle(): boolean;
  isProjectTrusted(): boolean;
  abort(): void;
  hasPendingMessages(): boolean;
  shutdown(): void;
  getContextUsage(): ContextUsage | undefined;
  /** Starts a compaction; does not wait for it. */
  compact(options?: CompactOptions): void;
  getSystemPrompt(): string;
  /** Timers that are cleared when the session ends. */
  setTimeout(run: () => unknown, ms: number): NodeJS.Timeout;
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
  waitForIdle(): Promise<void>;
  newSession(options?: NewSessionOptions): Promise<Cancelled>;
  fork(entryId: string, options?: ForkSessionOptions): Promise<Cancelled>;
  navigateTree(
    targetId: string,
    options?: {
      summarize?: boolean;
      customInstructions?: string;
      replaceInstructions?: boolean;
      label?: string;
    },
  ): Promise<Cancelled>;
  switchSession(sessionPath: string, options?: SwitchSessionOptions): Promise<Cancelled>;
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
}

/** The context of the session that took the place of the one a command ran in. */
export interface ReplacedSessionContext extends ExtensionCommandContext {
  sendMessage<Details = unknown>(
    message: OutgoingMessage<Details>,
    options?: SendMessageOptions,
  ): Promise<void>;
  sendUserMessage(content: string | UserContent[], options?: SendUserMessageOptions): Promise<void>;
}
