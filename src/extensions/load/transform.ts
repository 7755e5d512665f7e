import type { TransformOptions, TransformResult } from "jiti";
import { isProvided } from "../modules/provided.ts";
import { compile } from "./compile.ts";
import { META } from "./meta.ts";

/** Changed with everything below, so that no cached module has an old shape. */
export const TRANSFORM_VERSION = 8;

/** The module through which a loaded file reaches its loader. */
export const INSIDE = "seam:inside";

/** A file that mentions zod may mean the one of `pi`, so this is among its modules. */
export const ZOD = "seam:zod";
// Not in a text, where it would be the name of the package.
const MENTIONS_ZOD = /(?<![\w"'`/@-])zod(?![\w"'`/-])/;

/** The names a file takes from each module, by module. */
export type ImportedNames = Readonly<Record<string, readonly string[]>>;

/**
 * Compiles one file of an extension, and adds at its head: which names it imports from Seam,
 * timers that cannot end the process, and imports that load only what may run.
 * All on the first line: line numbers in errors stay those of the file.
 */
export function transform(options: TransformOptions): TransformResult {
  const code = compile(options);
  const names = JSON.stringify(importedNames(code));
  const asynchronous = options.async === true;
  const wait = asynchronous ? "await " : "";
  const fn = asynchronous ? "async " : "";
  const inside = asynchronous ? `await jitiImport("${INSIDE}")` : `require("${INSIDE}")`;
  const enter = asynchronous ? "await __seam.enter" : "__seam.enterAtOnce";
  // Two functions: a file that declares its own setTimeout must not collide with the parameters.
  const open =
    `"use strict";const __seam = ${inside};${enter}(__filename, ${names});` +
    `const ${META} = __seam.meta(__filename, require);` +
    `${wait}(${fn}function (setTimeout, setInterval, setImmediate, queueMicrotask, jitiImport, require) {` +
    `${wait}(${fn}() => {`;
  const close =
    "\n})();\n})(...__seam.timers, ...__seam.importers(__filename, jitiImport, require));";
  return { code: open + code + close };
}

// var _piTui = await jitiImport("@earendil-works/pi-tui");   var ns = _wildcard(require('x'));
const IMPORT = /\bvar (\w+) = (?:\w+\()?(?:await jitiImport|require)\(["']([^"']+)["']\)\)?;/g;
// var _x2 = _interopRequireDefault(_x);
const ALIAS = /\bvar (\w+) = _interopRequire\w+\((\w+)\);/g;
// await jitiImport("@earendil-works/pi-tui")   require("@earendil-works/pi-tui")
const MENTION = /\b(?:jitiImport|require)\(\s*["']([^"']+)["']/g;

/** Which names a compiled file takes from which of Seam's modules. Types are gone by now. */
function importedNames(code: string): ImportedNames {
  const result: Record<string, string[]> = MENTIONS_ZOD.test(code) ? { [ZOD]: [] } : {};
  for (const [, specifier = ""] of code.matchAll(MENTION)) {
    if (isProvided(packageOf(specifier))) result[specifier] = [];
  }
  if (Object.keys(result).length === 0) return result;
  const specifiers = new Map<string, string>();
  for (const [, variable = "", specifier = ""] of code.matchAll(IMPORT)) {
    if (result[specifier]) specifiers.set(variable, specifier);
  }
  for (const [, alias = "", variable = ""] of code.matchAll(ALIAS)) {
    const specifier = specifiers.get(variable);
    if (specifier) specifiers.set(alias, specifier);
  }
  for (const [variable, specifier] of specifiers) {
    // Not a field of something else, but maybe after the dots of a spread.
    const use = new RegExp(
      `(?<![\\w$]|(?<!\\.\\.)\\.)${variable.replaceAll("$", "\\$")}\\.(\\w+)`,
      "g",
    );
    const passedOn = new RegExp(`_createNamedExportFrom\\(${variable}, '[^']+', '([^']+)'\\)`, "g");
    const uses = [...code.matchAll(use), ...code.matchAll(passedOn)];
    const names = uses.flatMap(([, name]) => name ?? []);
    result[specifier] = [...new Set([...(result[specifier] ?? []), ...names])];
  }
  return result;
}

/** The package of "@scope/name/part" is "@scope/name". */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
