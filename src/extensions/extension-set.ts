import type { Dispatcher, HandlerCall, Owner } from "../dispatch/index.ts";
import { messageOf, SeamError } from "../errors/index.ts";
import type { ExtensionContext, ReplacedSessionContext } from "./api/context.ts";
import type {
  CommandOptions,
  FlagOptions,
  MessageRenderer,
  ShortcutOptions,
} from "./api/extension-api.ts";
import type { Host } from "./api/host.ts";
import type { ToolDefinition } from "./api/tool-definition.ts";
import { createCommandContext, createContext, createReplacedContext } from "./create-context.ts";
import type { Extension } from "./extension.ts";
import { guardProcess } from "./guard-process.ts";
import type { LoadedModule } from "./load/load-module.ts";
import { type ExtensionProblem, placeOf } from "./problem.ts";
import type { Runtime } from "./runtime.ts";
import { standaloneCall } from "./standalone-call.ts";

type Kind = "tool" | "command" | "flag" | "shortcut" | "renderer";

const CLASH_HINTS: Record<Kind, string> = {
  tool: "The first one is used. Rename one of them.",
  command: "Both can be used, as /name:1 and /name:2.",
  flag: "The first one's default is used. Rename one of them.",
  shortcut: "The first one is used. Choose another key for one of them.",
  renderer: "The first one is used.",
};

export interface LoadFailure {
  readonly path: string;
  readonly name: string;
  readonly problem: ExtensionProblem;
}

export interface ResolvedCommand {
  /** `name`, or `name:2` where several extensions chose the same. */
  readonly invocationName: string;
  readonly options: CommandOptions;
  readonly extension: Extension;
  run(args: string): Promise<void>;
}

interface Member {
  readonly extension: Extension;
  readonly module: LoadedModule;
  leave(): void;
}

/** The extensions of one session: what they registered, and their way to the host. */
export class ExtensionSet {
  readonly failures: LoadFailure[] = [];
  readonly #runtime: Runtime;
  readonly #members: Member[] = [];
  readonly #unguard: () => void;
  #disposed = false;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#unguard = guardProcess((error) => this.#blame(error));
  }

  get extensions(): readonly Extension[] {
    return this.#members.map(({ extension }) => extension);
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
    for (const { extension } of this.#members) {
      for (const [name, config] of extension.providers) {
        this.contain(extension, () => host.registerProvider(name, config));
      }
    }
  }

  /** The session is over: timers stop, subscriptions end, every pi and ctx throws. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#runtime.invalidate();
    for (const member of this.#members) {
      this.dispatcher.removeOwner(member.extension.owner);
      member.leave();
    }
    this.#unguard();
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
      run: () => this.contain(extension, () => value.handler(this.context(extension))),
    }));
  }

  renderer(customType: string): MessageRenderer | undefined {
    for (const { renderers } of this.extensions) {
      const renderer = renderers.get(customType);
      if (renderer) return renderer;
    }
    return undefined;
  }

  commands(): ResolvedCommand[] {
    const all = this.extensions.flatMap((extension) =>
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
    return createContext(this.#belonging(extension), standaloneCall(signal));
  }

  /** What the host hands to `withSession` after it replaced the session. */
  replacedContext(extension: Extension): ReplacedSessionContext {
    return createReplacedContext(this.#belonging(extension), standaloneCall());
  }

  // What follows is for loading and for the API of the extensions.

  ownerOf(extension: Pick<Extension, "name" | "path" | "critical">, module: LoadedModule): Owner {
    const belonging = { path: extension.path, runtime: this.#runtime, timers: module.timers };
    return {
      name: extension.name,
      path: extension.path,
      critical: extension.critical,
      createContext: (call: HandlerCall) => createContext(belonging, call),
    };
  }

  add(member: Member): void {
    const { extension } = member;
    this.#members.push(member);
    const registered = { tool: extension.tools, command: extension.commands };
    const more = { flag: extension.flags, shortcut: extension.shortcuts };
    const names = { ...registered, ...more, renderer: extension.renderers };
    for (const [kind, map] of Object.entries(names)) {
      for (const name of map.keys()) this.registered(kind as Kind, name, extension);
    }
  }

  /** Says so when a name is taken already. */
  registered(kind: Kind, name: string, extension: Extension): void {
    const field = `${kind}s` as const;
    const first = this.extensions.find((other) => other !== extension && other[field].has(name));
    if (!first) return;
    const details = { kind, name, first: first.path, second: extension.path };
    const error = new SeamError("SEAM_NAME_CLASH", { ...details, hint: CLASH_HINTS[kind] });
    this.report(extension, "warning", error);
  }

  /** Runs something of an extension's that nobody waits for. */
  contain(extension: Extension, run: () => unknown): void {
    const failed = (thrown: unknown) => this.failed(extension.path, thrown);
    try {
      const returned = run();
      if (returned instanceof Promise) returned.catch(failed);
    } catch (thrown) {
      // Misuse is told to whoever misuses; everything else is nobody's to catch.
      if (thrown instanceof SeamError) throw thrown;
      failed(thrown);
    }
  }

  /** A timer, a bus listener or a detached promise of an extension failed. */
  failed(path: string, thrown: unknown): void {
    const detail = messageOf(thrown);
    const error = new SeamError("SEAM_TIMER_THREW", { path, detail }, { cause: thrown });
    this.report({ path }, "error", error);
  }

  report(
    { path }: Pick<Extension, "path">,
    severity: ExtensionProblem["severity"],
    error: SeamError,
    event?: string,
  ): ExtensionProblem {
    const member = this.#members.find(({ extension }) => extension.path === path);
    const isOwn = (file: string) => member?.module.files.has(file) ?? file === path;
    const where = placeOf(error, isOwn);
    const problem = { severity, error, path, ...(event && { event }), ...(where && { where }) };
    this.#runtime.report(problem);
    return problem;
  }

  #belonging(extension: Extension) {
    const member = this.#members.find((other) => other.extension === extension);
    if (!member) throw new SeamError("SEAM_EXT_STALE", { path: extension.path });
    return { path: extension.path, runtime: this.#runtime, timers: member.module.timers };
  }

  async #runCommand(extension: Extension, name: string, options: CommandOptions, args: string) {
    const context = createCommandContext(this.#belonging(extension), standaloneCall());
    try {
      await options.handler(args, context);
    } catch (thrown) {
      const details = { path: extension.path, event: `/${name}`, detail: messageOf(thrown) };
      const error =
        thrown instanceof SeamError
          ? thrown
          : new SeamError("SEAM_HANDLER_THREW", details, { cause: thrown });
      this.report(extension, "error", error, `/${name}`);
    }
  }

  /** An error nobody caught: is it one of ours? */
  #blame(thrown: unknown): boolean {
    for (const { extension, module } of this.#members) {
      if (!placeOf(thrown, (file) => module.files.has(file))) continue;
      this.failed(extension.path, thrown);
      return true;
    }
    return false;
  }

  #first<T>(mapOf: (extension: Extension) => Map<string, T>) {
    const found = new Map<string, { name: string; value: T; extension: Extension }>();
    for (const extension of this.extensions) {
      for (const [name, value] of mapOf(extension)) {
        if (!found.has(name)) found.set(name, { name, value, extension });
      }
    }
    return [...found.values()];
  }
}
