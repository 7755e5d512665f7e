import type { TSchema } from "typebox";
import type { HandlerOptions } from "../../dispatch/index.ts";
import type {
  CustomMessage,
  EventMap,
  EventName,
  Model,
  ResultMap,
  ThinkingLevel,
  UserContent,
} from "../../events/index.ts";
import type { AutocompleteItem, Component, Theme } from "../../terminal/index.ts";
import type {
  ExtensionCommandContext,
  ExtensionContext,
  OutgoingMessage,
  SendMessageOptions,
  SendUserMessageOptions,
} from "./context.ts";
import type { ProviderConfig } from "./models.ts";
import type { SourceInfo, ToolDefinition, ToolInfo } from "./tool-definition.ts";

/** A handler of one event. What it may return stands in docs/events.md. */
// biome-ignore-start lint/suspicious/noConfusingVoidType: an async function without a return is Promise<void>
export type ExtensionHandler<Name extends EventName> = (
  event: EventMap[Name],
  ctx: ExtensionContext,
) => ResultMap[Name] | undefined | void | Promise<ResultMap[Name] | undefined | void>;
// biome-ignore-end lint/suspicious/noConfusingVoidType: see above

export interface CommandOptions {
  description?: string;
  getArgumentCompletions?: (
    prefix: string,
  ) => AutocompleteItem[] | null | Promise<AutocompleteItem[] | null>;
  handler: (args: string, ctx: ExtensionCommandContext) => unknown;
}

export interface ShortcutOptions {
  description?: string;
  handler: (ctx: ExtensionContext) => unknown;
}

export interface FlagOptions {
  description?: string;
  type: "boolean" | "string";
  default?: boolean | string;
}

export type MessageRenderer<Details = unknown> = (
  message: CustomMessage<Details>,
  options: { expanded: boolean },
  theme: Theme,
) => Component | undefined;

export interface ExecOptions {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  cwd?: string;
}

export interface ExecResult {
  stdout: string;
  stderr: string;
  code: number;
  killed: boolean;
}

export interface SlashCommandInfo {
  name: string;
  description?: string;
  source: "extension" | "prompt" | "skill";
  sourceInfo: SourceInfo;
}

/** A channel between extensions, apart from the agent's events. */
export interface EventBus {
  emit(channel: string, data: unknown): void;
  /** The function returned ends the subscription. */
  on(channel: string, handler: (data: unknown) => unknown): () => void;
}

export interface Logger {
  debug(...parts: unknown[]): void;
  info(...parts: unknown[]): void;
  warn(...parts: unknown[]): void;
  error(...parts: unknown[]): void;
}

/**
 * What an extension's default export is called with. Everything that registers works at once;
 * everything that acts works from the first event on.
 *
 * @example
 * export default function (pi: ExtensionAPI) {
 *   pi.on("tool_call", (event) => {
 *     if (event.toolName === "bash") return { block: true, reason: "No shell here" };
 *   });
 * }
 */
export interface ExtensionAPI {
  /** Subscribes to an event. The function returned ends the subscription. */
  on<Name extends EventName>(
    event: Name,
    handler: ExtensionHandler<Name>,
    options?: HandlerOptions,
  ): () => void;

  registerTool<Params extends TSchema = TSchema, Details = unknown, State = unknown>(
    tool: ToolDefinition<Params, Details, State>,
  ): void;
  registerCommand(name: string, options: CommandOptions): void;
  registerShortcut(shortcut: string, options: ShortcutOptions): void;
  registerFlag(name: string, options: FlagOptions): void;
  getFlag(name: string): boolean | string | undefined;
  registerMessageRenderer<Details = unknown>(
    customType: string,
    renderer: MessageRenderer<Details>,
  ): void;
  /** While loading this is noted and done as soon as there is a session. */
  registerProvider(name: string, config: ProviderConfig): void;
  unregisterProvider(name: string): void;

  sendMessage<Details = unknown>(
    message: OutgoingMessage<Details>,
    options?: SendMessageOptions,
  ): void;
  sendUserMessage(content: string | UserContent[], options?: SendUserMessageOptions): void;
  /** Keeps state in the session; the model never sees it. */
  appendEntry<Data = unknown>(customType: string, data?: Data): void;
  setSessionName(name: string): void;
  getSessionName(): string | undefined;
  setLabel(entryId: string, label: string | undefined): void;
  /** Runs a program, without a shell. */
  exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
  getActiveTools(): string[];
  getAllTools(): ToolInfo[];
  setActiveTools(names: string[]): void;
  getCommands(): SlashCommandInfo[];
  /** Those of this session, in the order in which they run. */
  getExtensions(): ExtensionInfo[];
  /** False if the model cannot be reached. */
  setModel(model: Model): Promise<boolean>;
  getThinkingLevel(): ThinkingLevel;
  setThinkingLevel(level: ThinkingLevel): void;

  readonly events: EventBus;
  /** Goes where the host's log goes, with the extension's name. */
  readonly logger: Logger;
}

/** An extension of the session, and where it came from. */
export interface ExtensionInfo {
  name: string;
  /** `scope: "temporary"`: only for this run, as with `-e`. */
  sourceInfo: SourceInfo;
}

/** The default export of an extension. */
export type ExtensionFactory = (pi: ExtensionAPI) => unknown;
