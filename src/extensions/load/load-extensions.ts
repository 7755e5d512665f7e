import { resolve } from "node:path";
import type { DispatcherOptions } from "../../dispatch/index.ts";
import { messageOf, SeamError } from "../../errors/index.ts";
import type { ExtensionAPI, ExtensionFactory } from "../api/extension-api.ts";
import { createApi, type Making, type PendingHandler } from "../create-api.ts";
import type { Extension } from "../extension.ts";
import { ExtensionSet } from "../extension-set.ts";
import { type Source, sourceOf } from "../find/source.ts";
import { type VirtualModules, virtualModules } from "../modules/index.ts";
import { Runtime } from "../runtime.ts";
import { containTimers } from "../timers.ts";
import { type LoadedModule, loadModule } from "./load-module.ts";
import { withinDeadline } from "./within-deadline.ts";

/** An extension that is part of the program that loads it. */
export interface InlineExtension {
  readonly name: string;
  readonly factory: ExtensionFactory;
  readonly critical?: boolean;
}

export interface LoadOptions extends Omit<DispatcherOptions, "onProblem"> {
  readonly cwd: string;
  /** Paths, factories, or what was found in the usual places. They run in this order. */
  readonly sources: readonly (Source | string | InlineExtension)[];
  /** Where compiled files are kept between runs. */
  readonly cacheDir?: string | false;
  /** How long one extension may take to load. */
  readonly loadDeadlineMs?: number;
}

type Failed = (thrown: unknown) => void;

/**
 * Loads extensions one after the other. One that fails leaves nothing behind and does not keep
 * the others from loading.
 */
export async function loadExtensions(options: LoadOptions): Promise<ExtensionSet> {
  const { cwd, sources, cacheDir = false, loadDeadlineMs: _, ...dispatching } = options;
  const runtime = new Runtime(cwd, dispatching);
  const set = new ExtensionSet(runtime);
  for (const given of sources) {
    if (typeof given === "object" && "factory" in given) {
      const source: Source = {
        path: `<${given.name}>`,
        name: given.name,
        scope: "cli",
        baseDir: cwd,
      };
      await loadOne(
        set,
        runtime,
        source,
        async (_modules, failed) => inline(given, failed),
        options,
      );
    } else {
      const source = typeof given === "string" ? sourceOf(resolve(cwd, given), "cli") : given;
      const evaluate = (modules: VirtualModules, onFailure: Failed) =>
        loadModule(source.path, { modules, cacheDir, onFailure });
      await loadOne(set, runtime, source, evaluate, options);
    }
  }
  return set;
}

async function loadOne(
  set: ExtensionSet,
  runtime: Runtime,
  source: Source,
  evaluate: (modules: VirtualModules, onFailure: Failed) => Promise<LoadedModule>,
  { loadDeadlineMs = 10_000 }: Pick<LoadOptions, "loadDeadlineMs">,
): Promise<void> {
  const { path, name } = source;
  const startedAt = performance.now();
  const { bus, leave } = runtime.bus.join((thrown) => set.failed(path, thrown));
  let module: LoadedModule | undefined;
  let critical = false;
  try {
    const late = () => new SeamError("SEAM_EXT_LOAD_TIMEOUT", { path, ms: loadDeadlineMs });
    const onFailure = (thrown: unknown) => set.failed(path, thrown);
    const modules = virtualModules(() => runtime.host(path, "Asking a model").modelRegistry);
    module = await withinDeadline(evaluate(modules, onFailure), loadDeadlineMs, late);
    critical = module.exports.critical === true;
    const factory = module.exports.default;
    if (!isFactory(factory)) throw new SeamError("SEAM_EXT_NO_FACTORY", { path });

    const draft = newExtension(source, critical, set, module);
    const pending: PendingHandler[] = [];
    const making: Making = { extension: draft, runtime, set, bus, pending };
    await withinDeadline(start(factory, createApi(making)), loadDeadlineMs, late);

    making.pending = undefined;
    draft.loadMs = performance.now() - startedAt;
    const loaded = module;
    set.add({
      extension: draft,
      module: loaded,
      leave: () => {
        leave();
        loaded.timers.clear();
      },
    });
    runtime.dispatcher.addOwner(draft.owner);
    for (const one of pending) {
      if (one.cancelled) continue;
      one.undo = runtime.dispatcher.on(draft.owner, one.event, one.handler, one.options);
    }
  } catch (thrown) {
    leave();
    module?.timers.clear();
    const error =
      thrown instanceof SeamError
        ? thrown
        : new SeamError("SEAM_EXT_FACTORY", { path, detail: messageOf(thrown) }, { cause: thrown });
    const problem = set.report(source, "error", error);
    set.failures.push({ path, name, problem });
    if (critical) standIn(runtime, source);
  }
}

function inline({ factory, critical }: InlineExtension, failed: Failed): LoadedModule {
  return {
    exports: { default: factory, critical },
    files: new Set(),
    timers: containTimers(failed),
  };
}

/** Calls the factory so that a throw and a rejection are the same thing. */
async function start(factory: ExtensionFactory, pi: ExtensionAPI): Promise<void> {
  await factory(pi);
}

function isFactory(value: unknown): value is ExtensionFactory {
  return typeof value === "function";
}

function newExtension(
  source: Source,
  critical: boolean,
  set: ExtensionSet,
  module: LoadedModule,
): Extension {
  const { name, path } = source;
  return {
    name,
    path,
    source,
    critical,
    owner: set.ownerOf({ name, path, critical }, module),
    events: new Set(),
    tools: new Map(),
    commands: new Map(),
    flags: new Map(),
    shortcuts: new Map(),
    renderers: new Map(),
    providers: new Map(),
    loadMs: 0,
  };
}

/** A critical extension that did not start must not simply be missing: tool calls are blocked. */
function standIn(runtime: Runtime, { name, path }: Source): void {
  const owner = { name, path, critical: true, createContext: () => ({}) };
  const error = new SeamError("SEAM_EXT_CRITICAL", { path });
  runtime.dispatcher.on(owner, "tool_call", () => ({
    block: true,
    reason: `${error.message} ${error.next}`,
  }));
}
