import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf, SeamError } from "../../errors/index.ts";
import { LARGE_FILE, readRegularText } from "../../files/index.ts";
import { knownPath } from "../find/source.ts";
import type { LoadingExtension } from "../loading-extension.ts";
import type { VirtualModules } from "../modules/index.ts";
import { createJiti } from "./create-jiti.ts";
import { guardImports, type Importer } from "./guard-imports.ts";
import { type MissingName, missingNames } from "./missing-names.ts";
import { nearImports } from "./near-imports.ts";
import { type ImportedNames, INSIDE, TRANSFORM_VERSION, transform, ZOD } from "./transform.ts";

export type ModuleExports = Readonly<Record<string, unknown>>;

export interface LoadModuleOptions {
  /** What it may import without having it installed. */
  readonly modules: VirtualModules;
  /** Those with all their names. Made before a file runs that imports more than the others have. */
  readonly wholeModules: () => Promise<VirtualModules>;
  /** Loads zod, which an extension for oh-my-pi takes from `pi`. */
  readonly zod: () => Promise<void>;
  /** Is called with the names that a file imports and that do not exist; they are undefined. */
  readonly onMissing: (missing: readonly MissingName[]) => void;
  /** Is called with the time that compiling a file took. */
  readonly onCompiled: (ms: number) => void;
  /** Where compiled files are kept; false: nowhere. */
  readonly cacheDir: string | false;
  /** What the file says; undefined: it is read. */
  readonly text: string | undefined;
  /** Refuses a file that must not be run; absent where every file may. */
  readonly admit: ((file: string) => void) | undefined;
}

/** Evaluates an extension anew each time: a reload starts from a clean state. */
export async function loadModule(
  member: LoadingExtension,
  { modules, wholeModules, zod, onMissing, onCompiled, cacheDir, text, admit }: LoadModuleOptions,
): Promise<ModuleExports> {
  const { path, timers } = member;
  const available: Record<string, object> = { ...modules };
  const enterAtOnce = (file: string, imported: ImportedNames) => {
    member.entered(file);
    admit?.(file);
    const missing = missingNames(file, imported, available);
    if (missing.length > 0) onMissing(missing);
  };
  const enter = async (file: string, { [ZOD]: usesZod, ...imported }: ImportedNames) => {
    if (usesZod && !member.zod) await zod();
    if (wantsMore(imported, available)) Object.assign(available, await wholeModules());
    enterAtOnce(file, imported);
  };
  const { setTimeout, setInterval, setImmediate, queueMicrotask } = timers;
  const inside = {
    enter,
    enterAtOnce,
    meta: importMeta,
    timers: [setTimeout, setInterval, setImmediate, queueMicrotask],
    importers: (file: string, ...own: [Importer, Importer]) => {
      const near = [nearImports(file, own[0]), nearImports(file, own[1])] as const;
      return admit ? guardImports(admit, file, ...near) : near;
    },
  };
  const jiti = createJiti(path, {
    fsCache: cacheDir === false ? false : `${cacheDir}/v${TRANSFORM_VERSION}`,
    moduleCache: false,
    transform: (options) => {
      const startedAt = performance.now();
      try {
        return transform(options);
      } finally {
        onCompiled(performance.now() - startedAt);
      }
    },
    virtualModules: Object.assign(available, { [INSIDE]: inside }),
  });
  try {
    const source = text ?? readRegularText(path, LARGE_FILE);
    // Not jiti.import(): that leaves plain .js files to Node, which knows none of our modules.
    const exports = await jiti.evalModule(source, {
      filename: path,
      id: path,
      async: true,
      forceTranspile: true,
    });
    return exports as ModuleExports;
  } catch (thrown) {
    throw explain(path, knownPath(member.source), thrown);
  }
}

/** Asked while an extension loads, before there is a session whose models could be told of. */
const LISTS: ReadonlySet<string> = new Set(["getModel", "getModels", "getProviders"]);

/** A module that is taken as a whole may be asked for any name. */
function wantsMore(imported: ImportedNames, modules: VirtualModules): boolean {
  return Object.entries(imported).some(([specifier, names]) => {
    const module = modules[specifier];
    const isThere = (name: string) => module !== undefined && name in module && !LISTS.has(name);
    return !module || names.length === 0 || !names.every(isThere);
  });
}

/** What a module knows of itself. */
function importMeta(filename: string, require: NodeJS.Require) {
  return {
    url: pathToFileURL(filename).href,
    filename,
    dirname: dirname(filename),
    resolve: (specifier: string) => pathToFileURL(require.resolve(specifier)).href,
  };
}

/** Turns what compiling or evaluating threw into an error with a next step. */
function explain(file: string, path: string, thrown: unknown): SeamError {
  if (thrown instanceof SeamError) return thrown;
  const detail = messageOf(thrown).replace(/\s*\n\s*/g, " ");
  const cause = { cause: thrown };
  const { code, path: missing, syscall } = thrown as NodeJS.ErrnoException;
  // Reading the entry itself failed, not something the extension does.
  const ownFile = missing === file || (code === "EISDIR" && syscall === "read");
  if (ownFile && (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR")) {
    return new SeamError("SEAM_EXT_NOT_FOUND", { path }, cause);
  }
  if (code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND") {
    const specifier = /Cannot find (?:module|package) '([^']+)'/.exec(detail)?.[1] ?? "a module";
    return new SeamError("SEAM_EXT_IMPORT", { path, specifier }, cause);
  }
  const isSyntax = thrown instanceof SyntaxError || /SyntaxError|ParseError/.test(detail);
  return new SeamError(isSyntax ? "SEAM_EXT_SYNTAX" : "SEAM_EXT_FACTORY", { path, detail }, cause);
}
