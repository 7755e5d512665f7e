import type { EventName, Model, ThinkingLevel, UserContent } from "../../events/index.ts";
import type {
  Cancelled,
  CompactOptions,
  ContextUsage,
  ExtensionCommandContext,
  ForkSessionOptions,
  Mode,
  NewSessionOptions,
  OutgoingMessage,
  SendMessageOptions,
  SendUserMessageOptions,
  SwitchSessionOptions,
} from "./context.ts";
import type { SlashCommandInfo } from "./extension-api.ts";
import type { RegisteredMcpServer } from "./mcp-server.ts";
import type { ModelRegistry, ProviderConfig, ScopedModel } from "./models.ts";
import type { OtherSession, OtherSessions, SessionRef } from "./other-sessions.ts";
import type { ReadonlySessionManager } from "./session.ts";
import type { SystemPromptOptions } from "./system-prompt-options.ts";
import type { ExecuteToolOptions, ToolCallOutcome } from "./tool-context.ts";
import type { ToolInfo } from "./tool-definition.ts";
import type { CallableTool } from "./tool-exposure.ts";
import type { DialogOptions, ExtensionUIContext } from "./ui.ts";
import type { ModelRoute, ModelRouteRequest, VirtualModel } from "./virtual-model.ts";

/** The extension that asks: `withSession` gets a context of its next self. */
export interface From {
  readonly from?: string;
}

/** What a host is told of a dialog besides: whose it is, and the tool call it is about. */
export interface HostDialogOptions extends DialogOptions, From {
  readonly call?: {
    readonly tool: string;
    readonly input: Readonly<Record<string, unknown>>;
    /** Why it is asked about, without the call itself. */
    readonly reason: string;
  };
}

/** A virtual model as a host gets it: its router has the extension's context already. */
export interface RoutedModel extends Omit<VirtualModel, "route"> {
  route(request: ModelRouteRequest): Promise<ModelRoute>;
}

/** What stands behind `pi.sessions`. `by`: the extension that wants it, for whoever is told. */
export interface HostSessions {
  list(): Promise<OtherSession[]>;
  hold(session: SessionRef, by: string): Promise<void>;
  release(session: SessionRef, by: string): Promise<void>;
  say(session: SessionRef, text: string, by: string): ReturnType<OtherSessions["say"]>;
  interrupt(session: SessionRef, by: string): ReturnType<OtherSessions["interrupt"]>;
}

/**
 * What stands behind the extension API: whoever runs a session fills this in. Properties are read
 * each time they are needed, so a host may change them.
 */
export interface Host {
  readonly cwd: string;
  readonly mode: Mode;
  readonly hasUI: boolean;
  readonly ui: ExtensionUIContext;
  readonly sessionManager: ReadonlySessionManager;
  readonly modelRegistry: ModelRegistry;
  readonly model: Model | undefined;
  readonly scopedModels: readonly ScopedModel[];
  /** The running operation's, if one is running. */
  readonly signal: AbortSignal | undefined;
  readonly projectTrusted: boolean;
  /** The sessions of all agents on this machine. */
  readonly sessions: HostSessions;

  can(event: EventName): boolean;
  isIdle(): boolean;
  abort(): void;
  hasPendingMessages(): boolean;
  shutdown(): void;
  getContextUsage(): ContextUsage | undefined;
  compact(options?: CompactOptions): void;
  getSystemPrompt(): string;
  getSystemPromptOptions(): SystemPromptOptions;
  getSettings(): Record<string, unknown>;

  sendMessage(message: OutgoingMessage, options?: SendMessageOptions): Promise<void> | void;
  sendUserMessage(
    content: string | UserContent[],
    options?: SendUserMessageOptions,
  ): Promise<void> | void;
  appendEntry(customType: string, data: unknown): void;
  setSessionName(name: string): void;
  getSessionName(): string | undefined;
  setLabel(entryId: string, label: string | undefined): void;
  getActiveTools(): string[];
  setActiveTools(names: string[]): void;
  /** Tools that do not come from an extension. */
  getBuiltinTools(): ToolInfo[];
  /** Commands that do not come from an extension: prompts, skills. */
  getOtherCommands(): SlashCommandInfo[];
  setModel(model: Model): Promise<boolean>;
  getThinkingLevel(): ThinkingLevel;
  setThinkingLevel(level: ThinkingLevel): void;
  registerProvider(name: string, config: ProviderConfig): void;
  unregisterProvider(name: string): void;
  registerVirtualModel(model: RoutedModel): void;
  unregisterVirtualModel(provider: string, id: string): void;
  /** Extensions registered these MCP servers; those that are gone are to be closed. */
  mcpServersChanged(servers: RegisteredMcpServer[]): void;
  /** The tools that a running tool can call, and the way to call one. */
  callableTools(): readonly CallableTool[];
  executeTool(
    callerId: string,
    name: string,
    args: unknown,
    options: ExecuteToolOptions,
  ): Promise<ToolCallOutcome>;
  /** An extension registered a tool after the session had started. */
  toolsChanged(): void;
  log(level: "debug" | "info" | "warn" | "error", text: string): void;

  waitForIdle(): Promise<void>;
  newSession(options?: NewSessionOptions & From): Promise<Cancelled>;
  fork(entryId: string, options?: ForkSessionOptions & From): Promise<Cancelled>;
  navigateTree(...args: Parameters<ExtensionCommandContext["navigateTree"]>): Promise<Cancelled>;
  switchSession(file: string, options?: SwitchSessionOptions & From): Promise<Cancelled>;
  reload(): Promise<void>;
}
