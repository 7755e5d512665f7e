import { resolve } from "node:path";
import { type DispatcherOptions, runAs } from "../../dispatch/index.ts";
import { messageOf, SeamError } from "../../errors/index.ts";
import type { ExtensionFactory } from "../api/extension-api.ts";
import { createApi, type Making, type PendingHandler } from "../create-api.ts";
import { newExtension } from "../extension.ts";
import { ExtensionSet } from "../extension-set.ts";
import { isCritical, textOf } from "../find/declared-critical.ts";
import { knownPath, type Source, sourceOf } from "../find/source.ts";
import type { LoadingExtension } from "../loading-extension.ts";
import { Runtime } from "../runtime.ts";
import type { FileOptions, WholeModules } from "./from-file.ts";
import type { ModuleExports } from "./load-module.ts";

/** An extension that is part of the program that loads it. */
export interface InlineExtension {
  readonly name: string;
  readonly factory: ExtensionFactory;
  readonly critical?: boolean;
}

/** Which extensions are loaded, and how. */
export interface LoadOptions extends Omit<DispatcherOptions, "onProblem"> {
  readonly cwd: string;
  /** Paths, factories, or what was found in the usual places. They run in this order. */
  readonly sources: readonly (Source | string | InlineExtension)[];
  /** Where compiled files are kept between runs; not those of critical or trusted extensions. */
  readonly cacheDir?: string | false;
  /** How long one extension may work until it is loaded; compiling it does not count. */
  readonly loadDeadlineMs?: number;
  /** Pi's modules with all their names. Without it they have those that need no agent. */
  readonly modules?: WholeModules;
  /** Is called with each file that was compiled. */
  readonly onCompiled?: () => void;
}

/** An extension on its way in: where it comes from and how to get its code. */
interface Candidate {
  readonly source: Source;
  readonly critical: boolean;
  evaluate(member: LoadingExtension, runtime: Runtime): Promise<ModuleExports>;
}

type FromFile = typeof import("./from-file.ts");

/**
 * Loads extensions one after the other. One that fails leaves nothing behind and does not keep
 * the others from loading.
 *
 * @example
 * const { sources } = findExtensions({ cwd: process.cwd() });
 * const extensions = await loadExtensions({ cwd: process.cwd(), sources });
 * for (const { path, problem } of extensions.failures) console.error(path, problem.error.message);
 */
export async function loadExtensions(options: LoadOptions): Promise<ExtensionSet> {
  const { cwd, sources, cacheDir = false, loadDeadlineMs = 10_000, ...more } = options;
  const { modules, onCompiled, ...dispatching } = more;
  const runtime = new Runtime(cwd, dispatching);
  const set = new ExtensionSet(runtime);
  for (const given of sources) {
    const isInline = typeof given === "object" && "factory" in given;
    await loadOne(
      set,
      runtime,
      isInline
        ? inline(given, cwd)
        : fromFile(await compilers(), sourceFor(given, cwd), { cacheDir, modules, onCompiled }),
      loadDeadlineMs,
    );
  }
  return set;
}

/** The compiler is loaded before the first file, so that this file's time does not include it. */
function compilers(): Promise<FromFile> {
  return import("./from-file.ts");
}

function sourceFor(given: Source | string, cwd: string): Source {
  return typeof given === "string" ? sourceOf(resolve(cwd, given), "cli") : given;
}

function fromFile(
  { evaluateFile }: FromFile,
  source: Source,
  options: Omit<FileOptions, "text">,
): Candidate {
  // Read once: what is looked at is what is compiled, and a file costs as much to read as to look up.
  const text = source.copy ? undefined : textOf(source.path);
  const critical = isCritical(source, text);
  // Nobody checks what was compiled: what the user relies on is compiled from what was checked.
  const cacheDir = critical || source.copy ? false : options.cacheDir;
  return {
    source,
    critical,
    evaluate: (member, runtime) =>
      evaluateFile(source, member, runtime, { ...options, cacheDir, text }),
  };
}

function inline({ name, factory, critical = false }: InlineExtension, cwd: string): Candidate {
  return {
    source: { path: `<${name}>`, name, scope: "cli", baseDir: cwd },
    critical,
    evaluate: async () => ({ default: factory, critical }),
  };
}

async function loadOne(
  set: ExtensionSet,
  runtime: Runtime,
  candidate: Candidate,
  ms: number,
): Promise<void> {
  const { source } = candidate;
  const { path, name } = source;
  const known = knownPath(source);
  const startedAt = performance.now();
  const member = runtime.join(source);
  const { bus, leave } = runtime.bus.join(source, (thrown) => runtime.failed(path, thrown));
  let { critical } = candidate;
  try {
    const late = () => new SeamError("SEAM_EXT_LOAD_TIMEOUT", { path: known, ms });
    const inTime = <T>(run: () => T | Promise<T>) =>
      withinDeadline(start(source, run), ms, () => member.compileMs, late);
    const exports = await inTime(() => candidate.evaluate(member, runtime));
    critical = exports.critical === true;
    const factory = exports.default;
    if (!isFactory(factory)) throw new SeamError("SEAM_EXT_NO_FACTORY", { path: known });

    const extension = newExtension(source, critical, set.ownerOf(member, critical));
    const pending: PendingHandler[] = [];
    const making: Making = { extension, member, runtime, set, bus, pending };
    const api = createApi(making);
    await inTime(() => factory(api));

    making.pending = undefined;
    extension.loadMs = performance.now() - startedAt;
    set.add({ extension, member, leave });
    runtime.dispatcher.addOwner(extension.owner);
    for (const one of pending) {
      if (one.cancelled) continue;
      one.undo = runtime.dispatcher.on(extension.owner, one.event, one.handler, one.options);
    }
  } catch (thrown) {
    leave();
    member.leave();
    const details = { path: known, detail: messageOf(thrown) };
    const error =
      thrown instanceof SeamError
        ? thrown
        : new SeamError("SEAM_EXT_FACTORY", details, { cause: thrown });
    set.failures.push({ path, name, problem: runtime.report("error", error, path) });
    if (critical) standIn(runtime, source, error);
  }
}

/** Calls something of the extension's so that a throw and a rejection are the same thing. */
async function start<T>(source: Source, run: () => T | Promise<T>): Promise<T> {
  return runAs(source, "loading", run);
}

function isFactory(value: unknown): value is ExtensionFactory {
  return typeof value === "function";
}

/**
 * A critical extension that does not run must not simply be missing: tool calls are blocked, and the
 * model and the user are told why and what resolves it.
 */
function standIn(runtime: Runtime, source: Source, cause: SeamError): void {
  const { name, path } = source;
  const owner = { name, path, critical: true, createContext: () => ({}) };
  const { message: detail, next } = cause;
  const error = new SeamError("SEAM_EXT_CRITICAL", { path: knownPath(source), detail, next });
  runtime.dispatcher.on(owner, "tool_call", () => ({
    block: true,
    reason: `${error.message} ${error.next}`,
  }));
}

/** The value, or the error `late` makes if it does not come in time. `notCounted`: of that time. */
function withinDeadline<T>(
  promise: Promise<T>,
  ms: number,
  notCounted: () => number,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const startedAt = performance.now() - notCounted();
  const deadline = new Promise<never>((_, reject) => {
    const look = () => {
      const left = ms - (performance.now() - startedAt - notCounted());
      if (left <= 0) reject(late());
      else timer = setTimeout(look, Math.ceil(left));
    };
    look();
  });
  return Promise.race([promise, deadline]).finally(() => clearTimeout(timer));
}
