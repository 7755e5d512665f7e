import { realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Importer } from "./guard-imports.ts";

/** The endings of files, in the order in which the loader tries them. */
const ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"];
/** What stands in the place of a file that is only there before it was compiled. */
const COMPILED = /\.([cm]?)js(x?)$/;

/**
 * Has files beside the one that imports them loaded by their full path. The loader would find the same
 * ones, but takes a relative name for that of a package in many places first, which takes longer than
 * all else about a file that is compiled already.
 */
export function nearImports<Fn extends Importer>(from: string, importer: Fn): Fn {
  return new Proxy(importer, {
    apply: (target, self, [specifier, ...rest]: Parameters<Importer>) =>
      Reflect.apply(target, self, [nearFile(from, String(specifier)) ?? specifier, ...rest]),
  });
}

function nearFile(from: string, specifier: string): string | undefined {
  if (!/^\.{1,2}\//.test(specifier)) return undefined;
  const path = resolve(dirname(from), specifier);
  const beside = ["", "/index"].flatMap((part) => ENDINGS.map((ending) => path + part + ending));
  const found = [path, ...beside, path.replace(COMPILED, ".$1ts$2")].find(isFile);
  return found === undefined ? undefined : realpathSync(found);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
