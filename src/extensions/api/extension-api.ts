import type { TSchema } from "typebox";
import type { HandlerOptions } from "../../dispatch/index.ts";
import type {
  EventMap,
  EventName,
  Model,
  ResultMap,
  ThinkingLevel,
  UserContent,
} from "../../events/index.ts";
import type { AutocompleteItem } from "../../terminal/index.ts";
import type {
  ExtensionCommandContext,
  ExtensionContext,
  OutgoingMessage,
  SendMessageOptions,
  SendUserMessageOptions,
} from "./context.ts";
import type { McpServerConfig, RegisteredMcpServer } from "./mcp-server.ts";
import type { NativeProvider, ProviderConfig } from "./models.ts";
import type { OtherSessions } from "./other-sessions.ts";
import type {
  EntryRenderer,
  MarkdownTransformer,
  MessageRenderer,
  ToolRendererResolver,
} from "./renderers.ts";
import type { SourceInfo, ToolDefinition, ToolInfo } from "./tool-definition.ts";
import type { VirtualModel } from "./virtual-model.ts";

/** A handler of one event. What it may return stands in docs/events.md. */
// biome-ignore-start lint/suspicious/noConfusingVoidType: an async function without a return is Promise<void>
export type ExtensionHandler<Name extends EventName> = (
  event: EventMap[Name],
  ctx: ExtensionContext,
) => ResultMap[Name] | undefined | void | Promise<ResultMap[Name] | undefined | void>;
// biome-ignore-end lint/suspicious/noConfusingVoidType: see above

/** A slash command: what it does, and what is said about it in lists. */
export interface CommandOptions {
  description?: string;
  getArgumentCompletions?: (
    prefix: string,
  ) => AutocompleteItem[] | null | Promise<AutocompleteItem[] | null>;
  handler: (args: string, ctx: ExtensionCommandContext) => unknown;
}

/** What happens when a key is pressed. */
export interface ShortcutOptions {
  description?: string;
  handler: (ctx: ExtensionContext) => unknown;
}

/** An option of the command line that an extension brings. */
export interface FlagOptions {
  description?: string;
  type: "boolean" | "string";
  default?: boolean | string;
}

/** How a program is run. */
export interface ExecOptions {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  cwd?: string;
}

/** What a program printed and how it ended. `killed`: it was stopped. */
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

/** Writes to the log of the host, with the extension's name. */
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
  /**
   * Subscribes to an event. The function returned ends the subscription.
   *
   * @example
   * pi.on("tool_call", async (event, ctx) => {
   *   if (event.toolName !== "bash" || !ctx.hasUI) return;
   *   const isFine = await ctx.ui.confirm("Run it?", String(event.input.command));
   *   if (!isFine) return { block: true, reason: "The user said no." };
   * });
   */
  on<Name extends EventName>(
    event: Name,
    handler: ExtensionHandler<Name>,
    options?: HandlerOptions,
  ): () => void;

  /**
   * Gives the model one more tool, or takes the place of a built-in one of the same name.
   *
   * @example
   * pi.registerTool({
   *   name: "weather",
   *   label: "Weather",
   *   description: "Tells the weather of a city.",
   *   parameters: Type.Object({ city: Type.String() }),
   *   async execute(_id, { city }) {
   *     return { content: [{ type: "text", text: `It is sunny in ${city}.` }], details: undefined };
   *   },
   * });
   */
  registerTool<Params extends TSchema = TSchema, Details = unknown, State = unknown>(
    tool: ToolDefinition<Params, Details, State>,
  ): void;
  /**
   * Adds a slash command.
   *
   * @example
   * pi.registerCommand("hello", {
   *   description: "Greets somebody",
   *   handler: (args, ctx) => ctx.ui.notify(`Hello, ${args}!`),
   * });
   */
  registerCommand(name: string, options: CommandOptions): void;
  /** Does something when a key is pressed, for example `ctrl+shift+p`. */
  registerShortcut(shortcut: string, options: ShortcutOptions): void;
  /** Adds an option to the command line: `--name`. */
  registerFlag(name: string, options: FlagOptions): void;
  /** The value of a flag of this extension; undefined if it has none. */
  getFlag(name: string): boolean | string | undefined;
  /** Draws messages of this `customType` on terminals. */
  registerMessageRenderer<Details = unknown>(
    customType: string,
    renderer: MessageRenderer<Details>,
  ): void;
  /** Draws what this extension kept with `appendEntry` under this `customType`. */
  registerEntryRenderer<Data = unknown>(customType: string, renderer: EntryRenderer<Data>): void;
  /** Changes the Markdown of prompts and answers before it is drawn. One for each extension. */
  registerMarkdownTransformer(transformer: MarkdownTransformer): void;
  /** Chooses how calls of tools are drawn, also of tools of others. */
  registerToolRenderer(resolver: ToolRendererResolver): void;
  /** Adds a provider of models. While loading this is noted and done as soon as there is a session. */
  registerProvider(name: string, config: ProviderConfig): void;
  registerProvider(provider: NativeProvider): void;
  /** Takes a provider and its models away again. */
  unregisterProvider(name: string): void;
  /** Adds a model that hands each request to another one. */
  registerVirtualModel<State = unknown>(model: VirtualModel<State>): void;
  unregisterVirtualModel(provider: string, id: string): void;
  /**
   * Connects an MCP server for the length of the session; its tools are offered to the model as
   * `mcp__<server>__<tool>`.
   */
  registerMcpServer(name: string, config: McpServerConfig): void;
  unregisterMcpServer(name: string): void;
  /** The servers that extensions registered. */
  getMcpServers(): RegisteredMcpServer[];

  /** Puts a message of the extension into the conversation. */
  sendMessage<Details = unknown>(
    message: OutgoingMessage<Details>,
    options?: SendMessageOptions,
  ): void;
  /** Says something in the name of the user; the agent works on it. */
  sendUserMessage(content: string | UserContent[], options?: SendUserMessageOptions): void;
  /** Keeps state in the session; the model never sees it. */
  appendEntry<Data = unknown>(customType: string, data?: Data): void;
  /** Gives the session a name for lists. */
  setSessionName(name: string): void;
  /** The name of the session, if it was given one. */
  getSessionName(): string | undefined;
  /** Gives an entry of the session a name; undefined takes it away. */
  setLabel(entryId: string, label: string | undefined): void;
  /** In oh-my-pi: what this extension is called in lists. */
  setLabel(label: string): void;
  /** Runs a program, without a shell. */
  exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
  /** The names of the tools that the model is offered. */
  getActiveTools(): string[];
  /** All tools there are, whether the model is offered them or not. */
  getAllTools(): ToolInfo[];
  /** Offers the model these tools and no others. */
  setActiveTools(names: string[]): void;
  /** The slash commands of extensions, prompts and skills. */
  getCommands(): SlashCommandInfo[];
  /** The extensions of this session, in the order in which they run. */
  getExtensions(): ExtensionInfo[];
  /** The settings in force, those of the user and of a trusted project. A copy. */
  getSettings(): Record<string, unknown>;
  /** Goes on with another model. False if it cannot be reached: there is no key for it. */
  setModel(model: Model): Promise<boolean>;
  /** How hard the model thinks. */
  getThinkingLevel(): ThinkingLevel;
  /** Makes the model think harder or less hard. */
  setThinkingLevel(level: ThinkingLevel): void;

  /**
   * The sessions of all agents on this machine: hold them, speak to them, end their turns.
   *
   * @example
   * for (const one of await pi.sessions.list()) {
   *   if (one.phase === "working") await pi.sessions.say(one, "The build is red. Stop and look.");
   * }
   */
  readonly sessions: OtherSessions;
  /** The library for schemas, as oh-my-pi hands it out; it can be imported as well. */
  readonly typebox: typeof import("typebox");
  /** The library zod, as oh-my-pi hands it out to extensions that mention it. */
  readonly zod: object | undefined;
  /** A channel to other extensions. */
  readonly events: EventBus;
  /** What is logged here goes where the host's log goes, with the extension's name. */
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
