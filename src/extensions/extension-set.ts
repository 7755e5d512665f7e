import { type Dispatcher, HandlerCall, type Owner, runAs } from "../dispatch/index.ts";
import { messageOf, SeamError } from "../errors/index.ts";
import type { ExtensionContext, ReplacedSessionContext } from "./api/context.ts";
import type { CommandOptions, FlagOptions, ShortcutOptions } from "./api/extension-api.ts";
import type { Host } from "./api/host.ts";
import type { RegisteredMcpServer } from "./api/mcp-server.ts";
import type {
  EntryRenderer,
  MarkdownTransformContext,
  MessageRenderer,
  ToolRenderers,
} from "./api/renderers.ts";
import type { ExtensionToolContext } from "./api/tool-context.ts";
import type { ToolDefinition } from "./api/tool-definition.ts";
import {
  createCommandContext,
  createContext,
  createReplacedContext,
  createToolContext,
} from "./create-context.ts";
import { Drawing } from "./drawing.ts";
import type { Extension } from "./extension.ts";
import type { LoadingExtension } from "./loading-extension.ts";
import { routedModel } from "./model-api.ts";
import type { ExtensionProblem } from "./problem.ts";
import type { Runtime } from "./runtime.ts";
import { containTimers } from "./timers.ts";

type Kind = "tool" | "command" | "flag" | "shortcut" | "renderer";

const CLASH_HINTS: Record<Kind, string> = {
  tool: "The first one is used. Rename one of them.",
  command: "Both can be used, as /name:1 and /name:2.",
  flag: "The first one's default is used. Rename one of them.",
  shortcut: "The first one is used. Choose another key for one of them.",
  renderer: "The first one is used.",
};

/** An extension that could not be loaded, and why. */
export interface LoadFailure {
  readonly path: string;
  readonly name: string;
  readonly problem: ExtensionProblem;
}

/** A slash command as it is entered, ready to be run. */
export interface ResolvedCommand {
  /** `name`, or `name:2` where several extensions chose the same. */
  readonly invocationName: string;
  readonly options: CommandOptions;
  readonly extension: Extension;
  run(args: string): Promise<void>;
}

interface Loaded {
  readonly extension: Extension;
  readonly member: LoadingExtension;
  /** Ends its subscriptions to the bus. */
  leave(): void;
}

/** The extensions of one session: what they registered, and their way to the host. */
export class ExtensionSet {
  readonly failures: LoadFailure[] = [];
  readonly #runtime: Runtime;
  readonly #loaded: Loaded[] = [];
  readonly #drawing: Drawing;
  #disposed = false;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#drawing = new Drawing(() => this.extensions, runtime);
  }

  get extensions(): readonly Extension[] {
    return this.#loaded.map(({ extension }) => extension);
  }

  /**
   * Those whose tools, commands and resources are offered. A project's extension takes the place of
   * one of the user's with the same name; the handlers of both run, so that no project switches off
   * a gate of the user's.
   */
  get offered(): readonly Extension[] {
    const all = this.extensions;
    const isProjects = ({ source }: Extension) => source.scope === "project";
    const projects = new Set(all.filter(isProjects).map(({ name }) => name));
    const isReplaced = ({ source, name }: Extension) =>
      (source.scope === "user" || source.scope === "package") && projects.has(name);
    return all.filter((extension) => !isReplaced(extension));
  }

  get dispatcher(): Dispatcher {
    return this.#runtime.dispatcher;
  }

  /** Everything that went wrong so far. */
  get problems(): readonly ExtensionProblem[] {
    return this.#runtime.problems;
  }

  onProblem(listener: (problem: ExtensionProblem) => void): () => void {
    return this.#runtime.onProblem(listener);
  }

  /** From now on the actions behind the API are real. */
  bind(host: Host): void {
    this.#runtime.bind(host);
    for (const extension of this.extensions) {
      const { path, providers, virtualModels } = extension;
      for (const [name, config] of providers) {
        this.contain(path, () => host.registerProvider(name, config));
      }
      for (const model of virtualModels.values()) {
        const contextFor = (call: HandlerCall) => this.contextOf(extension, call);
        this.contain(path, () => host.registerVirtualModel(routedModel(model, contextFor)));
      }
    }
  }

  /** The session is over: timers stop, subscriptions end, every pi and ctx throws. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#runtime.invalidate();
    this.dispatcher.close();
    for (const { extension, member, leave } of this.#loaded) {
      this.dispatcher.removeOwner(extension.owner);
      leave();
      member.leave();
    }
  }

  /** Tools by name; where two extensions chose the same name, the first one's. */
  tools(): { tool: ToolDefinition; extension: Extension }[] {
    return this.#first(({ tools }) => tools).map(({ value, extension }) => ({
      tool: value,
      extension,
    }));
  }

  flags(): { name: string; flag: FlagOptions; extension: Extension }[] {
    return this.#first(({ flags }) => flags).map(({ name, value, extension }) => ({
      name,
      flag: value,
      extension,
    }));
  }

  setFlag(name: string, value: boolean | string): void {
    this.#runtime.flagValues.set(name, value);
  }

  shortcuts(): { key: string; options: ShortcutOptions; extension: Extension; run(): void }[] {
    return this.#first(({ shortcuts }) => shortcuts).map(({ name, value, extension }) => ({
      key: name,
      options: value,
      extension,
      run: () => void this.#attempt(extension, name, () => value.handler(this.context(extension))),
    }));
  }

  /** Draws messages of this type. */
  renderer(customType: string): MessageRenderer | undefined {
    return this.#drawing.message(customType);
  }

  /** Draws what an extension keeps in the session under this type. */
  entryRenderer(customType: string): EntryRenderer | undefined {
    return this.#drawing.entry(customType);
  }

  /** How calls of a tool are drawn, whoever's tool it is. */
  toolRenderers(toolName: string): ToolRenderers | undefined {
    return this.#drawing.tool(toolName);
  }

  /** A prompt or an answer as extensions want it drawn. */
  markdown(text: string, context: MarkdownTransformContext): string {
    return this.#drawing.markdown(text, context);
  }

  mcpServers(): RegisteredMcpServer[] {
    return this.extensions.flatMap(({ path, mcpServers }) =>
      [...mcpServers].map(([name, config]) => ({
        name,
        config: structuredClone(config),
        extensionPath: path,
      })),
    );
  }

  commands(): ResolvedCommand[] {
    const all = this.offered.flatMap((extension) =>
      [...extension.commands].map(([name, options]) => ({ name, options, extension })),
    );
    const seen = new Map<string, number>();
    return all.map(({ name, options, extension }) => {
      const alone = all.filter((other) => other.name === name).length === 1;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return {
        invocationName: alone ? name : `${name}:${count}`,
        options,
        extension,
        run: (args) => this.#runCommand(extension, name, options, args),
      };
    });
  }

  /** A context outside of any event: for tools, shortcuts and renderers. */
  context(extension: Extension, signal?: AbortSignal): ExtensionContext {
    return this.contextOf(extension, new HandlerCall(signal));
  }

  contextOf(extension: Extension, call: HandlerCall): ExtensionContext {
    return createContext(this.#belonging(extension), call);
  }

  /** The context of a tool while it runs a call: it can call others. */
  toolContext(
    extension: Extension,
    toolCallId: string,
    signal?: AbortSignal,
  ): ExtensionToolContext {
    const belonging = this.#belonging(extension);
    return createToolContext(belonging, new HandlerCall(signal), toolCallId);
  }

  /** What the host hands to `withSession` after it replaced the session; `from`: who asked for it. */
  replacedContext(from = "<host>"): ReplacedSessionContext {
    const loaded = this.#loaded.find(({ extension }) => extension.path === from);
    const timers =
      loaded?.member.timers ??
      containTimers({ name: from, path: from }, (thrown) => this.#runtime.failed(from, thrown));
    const belonging = { path: from, runtime: this.#runtime, timers };
    return createReplacedContext(belonging, new HandlerCall());
  }

  // What follows is for loading and for the API of the extensions.

  ownerOf(member: LoadingExtension, critical: boolean): Owner {
    const { source, path, timers } = member;
    const belonging = { path, runtime: this.#runtime, timers };
    return {
      name: source.name,
      path,
      critical,
      createContext: (call: HandlerCall) => createContext(belonging, call),
    };
  }

  add(loaded: Loaded): void {
    const { extension } = loaded;
    this.#loaded.push(loaded);
    const { tools: tool, commands: command, flags: flag, shortcuts: shortcut } = extension;
    const names = { tool, command, flag, shortcut, renderer: extension.renderers };
    for (const [kind, map] of Object.entries(names)) {
      for (const name of map.keys()) this.registered(kind as Kind, name, extension);
    }
  }

  /** Says so when a name is taken already. */
  registered(kind: Kind, name: string, extension: Extension): void {
    const field = `${kind}s` as const;
    const both = this.offered.filter((one) => one === extension || one[field].has(name));
    const [first, second] = both;
    if (!first || !second) return;
    const details = { kind, name, first: first.path, second: (both.at(-1) ?? second).path };
    const error = new SeamError("SEAM_NAME_CLASH", { ...details, hint: CLASH_HINTS[kind] });
    this.#runtime.report("warning", error, extension.path);
  }

  /** Runs something of an extension's that nobody waits for. */
  contain(path: string, run: () => unknown): void {
    const failed = (thrown: unknown) => this.#runtime.failed(path, thrown);
    try {
      const returned = run();
      if (returned instanceof Promise) returned.catch(failed);
    } catch (thrown) {
      failed(thrown);
    }
  }

  /** The value of a flag: what the user said, or the default of whoever registered it first. */
  flagValue(name: string): boolean | string | undefined {
    const given = this.#runtime.flagValues.get(name);
    return given ?? this.extensions.find(({ flags }) => flags.has(name))?.flags.get(name)?.default;
  }

  #belonging(extension: Extension) {
    const loaded = this.#loaded.find((other) => other.extension === extension);
    if (!loaded) throw new SeamError("SEAM_EXT_STALE", { path: extension.path });
    return { path: extension.path, runtime: this.#runtime, timers: loaded.member.timers };
  }

  #runCommand(extension: Extension, name: string, options: CommandOptions, args: string) {
    return this.#attempt(extension, `/${name}`, () =>
      options.handler(args, createCommandContext(this.#belonging(extension), new HandlerCall())),
    );
  }

  /** Runs something the user started. A failure is reported under the name the user knows. */
  async #attempt(extension: Extension, what: string, run: () => unknown): Promise<void> {
    const { path } = extension;
    try {
      await runAs(extension, what, run);
    } catch (thrown) {
      const details = { path, event: what, detail: messageOf(thrown) };
      const error =
        thrown instanceof SeamError
          ? thrown
          : new SeamError("SEAM_HANDLER_THREW", details, { cause: thrown });
      this.#runtime.report("error", error, path, { event: what });
    }
  }

  #first<T>(mapOf: (extension: Extension) => Map<string, T>) {
    const found = new Map<string, { name: string; value: T; extension: Extension }>();
    for (const extension of this.offered) {
      for (const [name, value] of mapOf(extension)) {
        if (!found.has(name)) found.set(name, { name, value, extension });
      }
    }
    return [...found.values()];
  }
}
