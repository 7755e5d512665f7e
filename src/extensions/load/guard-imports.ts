import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SeamError } from "../../errors/index.ts";
import { pathBeforeCopy } from "../../settings/index.ts";
import { resolveFile } from "../find/imported-files.ts";

type Admit = (file: string) => void;
export type Importer = (specifier: string, ...rest: unknown[]) => unknown;

/**
 * The two functions with which a file of a trusted copy imports others, so that it gets nothing but
 * what was trusted: what it names by a path is looked at before it is loaded, and Node's
 * `createRequire` makes functions that look as well.
 */
export function guardImports(
  admit: Admit,
  from: string,
  load: Importer,
  require: Importer,
): [Importer, Importer] {
  const check = (specifier: string) => {
    const path = pathOf(specifier, from);
    if (path !== undefined) admit(resolveFile(path));
  };
  const module = guardedModule(admit);
  const isModule = (specifier: string) => /^(?:node:)?module$/.test(specifier);
  return [
    guard(load, check, (specifier) => (isModule(specifier) ? Promise.resolve(module) : undefined)),
    guard(require, check, (specifier) => (isModule(specifier) ? module : undefined)),
  ];
}

/** Calls `check` with the specifier first; everything else about the function stays as it is. */
function guard<Fn extends Importer>(
  importer: Fn,
  check: (specifier: string) => void,
  instead: (specifier: string) => unknown = () => undefined,
): Fn {
  return new Proxy(importer, {
    apply: (target, self, args: Parameters<Importer>) => {
      const specifier = String(args[0]);
      check(specifier);
      return instead(specifier) ?? Reflect.apply(target, self, args);
    },
  });
}

/** The path a specifier means; undefined if it is a name. */
function pathOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith("file:")) return fileURLToPath(specifier);
  if (isAbsolute(specifier)) return specifier;
  return /^\.{1,2}(\/|$)/.test(specifier) ? resolve(dirname(from), specifier) : undefined;
}

/** Node's own module, whose `createRequire` loads only what was trusted. */
function guardedModule(admit: Admit): object {
  const createRequire: typeof nodeModule.createRequire = (base) => {
    const native = nodeModule.createRequire(base);
    return guard(native, (id) => {
      if (!nodeModule.isBuiltin(id)) admit(resolved(native, id, base));
    });
  };
  const standard = new Proxy(nodeModule.default, {
    get: (target, key) => (key === "createRequire" ? createRequire : Reflect.get(target, key)),
  });
  return { ...nodeModule, createRequire, default: standard };
}

/** Where Node finds it; what it does not find is named as it was in the project. */
function resolved(native: NodeJS.Require, id: string, base: string | URL): string {
  try {
    return native.resolve(id);
  } catch (error) {
    const from = pathOf(String(base), "/");
    const path = from === undefined ? undefined : pathOf(id, from);
    if (path === undefined || existsSync(path)) throw error;
    throw new SeamError("SEAM_EXT_NOT_IN_COPY", { path: pathBeforeCopy(path) ?? path });
  }
}
