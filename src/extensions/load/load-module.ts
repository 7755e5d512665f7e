import { messageOf, SeamError } from "../../errors/index.ts";
import { LARGE_FILE, readRegularText } from "../../files/index.ts";
import { knownPath } from "../find/source.ts";
import type { Member } from "../member.ts";
import type { VirtualModules } from "../modules/index.ts";
import { createJiti } from "./create-jiti.ts";
import { guardImports, type Importer } from "./guard-imports.ts";
import { INSIDE, TRANSFORM_VERSION, transform } from "./transform.ts";

export type ModuleExports = Readonly<Record<string, unknown>>;

export interface LoadModuleOptions {
  /** What it may import without having it installed. */
  readonly modules: VirtualModules;
  /** Where compiled files are kept; false: nowhere. */
  readonly cacheDir: string | false;
  /** Refuses a file that must not be run; absent where every file may. */
  readonly admit: ((file: string) => void) | undefined;
}

/** Evaluates an extension anew each time: a reload starts from a clean state. */
export async function loadModule(
  member: Member,
  { modules, cacheDir, admit }: LoadModuleOptions,
): Promise<ModuleExports> {
  const { path, timers } = member;
  const enter = (file: string, imported: Record<string, string[]>) => {
    member.entered(file);
    admit?.(file);
    for (const [specifier, names] of Object.entries(imported)) {
      const module = modules[specifier];
      const name = module && names.find((wanted) => wanted !== "default" && !(wanted in module));
      if (name !== undefined) {
        throw new SeamError("SEAM_EXT_MISSING_EXPORT", { path: file, name, specifier });
      }
    }
  };
  const { setTimeout, setInterval, setImmediate, queueMicrotask } = timers;
  const inside = {
    enter,
    timers: [setTimeout, setInterval, setImmediate, queueMicrotask],
    importers: (file: string, load: Importer, require: Importer) =>
      admit ? guardImports(admit, file, load, require) : [load, require],
  };
  const jiti = createJiti(path, {
    fsCache: cacheDir === false ? false : `${cacheDir}/v${TRANSFORM_VERSION}`,
    moduleCache: false,
    transform,
    virtualModules: { ...modules, [INSIDE]: inside },
  });
  try {
    const source = readRegularText(path, LARGE_FILE);
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
