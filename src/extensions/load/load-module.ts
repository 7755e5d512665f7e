import { readFileSync } from "node:fs";
import { createJiti } from "jiti";
import { messageOf, SeamError } from "../../errors/index.ts";
import type { VirtualModules } from "../modules/index.ts";
import { type ContainedTimers, containTimers } from "../timers.ts";
import { INSIDE, TRANSFORM_VERSION, transform } from "./transform.ts";

/** An extension's code, evaluated and not yet started. */
export interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>;
  /** The files of its own that were loaded. */
  readonly files: ReadonlySet<string>;
  readonly timers: ContainedTimers;
}

export interface LoadModuleOptions {
  /** What it may import without having it installed. */
  readonly modules: VirtualModules;
  /** Where compiled files are kept; false: nowhere. */
  readonly cacheDir: string | false;
  /** Told when a timer of the module fails. */
  readonly onFailure: (thrown: unknown) => void;
}

/** Evaluates an extension anew each time: a reload starts from a clean state. */
export async function loadModule(path: string, options: LoadModuleOptions): Promise<LoadedModule> {
  const files = new Set<string>([path]);
  const timers = containTimers(options.onFailure);
  const enter = (file: string, imported: Record<string, string[]>) => {
    files.add(file);
    for (const [specifier, names] of Object.entries(imported)) {
      const module = options.modules[specifier];
      const name = module && names.find((wanted) => !(wanted in module));
      if (name !== undefined) {
        throw new SeamError("SEAM_EXT_MISSING_EXPORT", { path: file, name, specifier });
      }
    }
  };
  const { setTimeout, setInterval, setImmediate, queueMicrotask } = timers;
  const inside = { enter, timers: [setTimeout, setInterval, setImmediate, queueMicrotask] };
  const jiti = createJiti(path, {
    fsCache: options.cacheDir === false ? false : `${options.cacheDir}/v${TRANSFORM_VERSION}`,
    moduleCache: false,
    transform,
    virtualModules: { ...options.modules, [INSIDE]: inside },
  });
  try {
    const source = readFileSync(path, "utf8");
    // Not jiti.import(): that leaves plain .js files to Node, which knows none of our modules.
    const exports = await jiti.evalModule(source, {
      filename: path,
      id: path,
      async: true,
      forceTranspile: true,
    });
    return { exports: exports as Record<string, unknown>, files, timers };
  } catch (thrown) {
    timers.clear();
    throw explain(path, thrown);
  }
}

/** Turns what compiling or evaluating threw into an error with a next step. */
function explain(path: string, thrown: unknown): SeamError {
  if (thrown instanceof SeamError) return thrown;
  const detail = messageOf(thrown).replace(/\s*\n\s*/g, " ");
  const cause = { cause: thrown };
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (code === "ENOENT" && detail.includes(path)) {
    return new SeamError("SEAM_EXT_NOT_FOUND", { path }, cause);
  }
  if (code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND") {
    const specifier = /Cannot find (?:module|package) '([^']+)'/.exec(detail)?.[1] ?? "a module";
    return new SeamError("SEAM_EXT_IMPORT", { path, specifier }, cause);
  }
  const isSyntax = thrown instanceof SyntaxError || /SyntaxError|ParseError/.test(detail);
  return new SeamError(isSyntax ? "SEAM_EXT_SYNTAX" : "SEAM_EXT_FACTORY", { path, detail }, cause);
}
