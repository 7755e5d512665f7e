import type { TransformOptions, TransformResult } from "jiti";
import { compile } from "./compile.ts";

/** Changed with everything below, so that no cached module has an old shape. */
export const TRANSFORM_VERSION = 5;

/** The module through which a loaded file reaches its loader. */
export const INSIDE = "seam:inside";

/**
 * Compiles one file of an extension, and adds at its head: a check that every name it imports
 * from Seam is there, timers that cannot end the process, and imports that load only what may run.
 * All on the first line: line numbers in errors stay those of the file.
 */
export function transform(options: TransformOptions): TransformResult {
  const code = compile(options);
  const names = JSON.stringify(importedNames(code));
  const asynchronous = options.async === true;
  const wait = asynchronous ? "await " : "";
  const fn = asynchronous ? "async " : "";
  const inside = asynchronous ? `await jitiImport("${INSIDE}")` : `require("${INSIDE}")`;
  // Two functions: a file that declares its own setTimeout must not collide with the parameters.
  const open =
    `"use strict";const __seam = ${inside};__seam.enter(__filename, ${names});` +
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

/** Which names a compiled file takes from which module. Types are gone by now. */
function importedNames(code: string): Record<string, string[]> {
  const specifiers = new Map<string, string>();
  for (const [, variable = "", specifier = ""] of code.matchAll(IMPORT)) {
    specifiers.set(variable, specifier);
  }
  for (const [, alias = "", variable = ""] of code.matchAll(ALIAS)) {
    const specifier = specifiers.get(variable);
    if (specifier) specifiers.set(alias, specifier);
  }
  const result: Record<string, string[]> = {};
  for (const [variable, specifier] of specifiers) {
    const use = new RegExp(`(?<![\\w$.])${variable.replaceAll("$", "\\$")}\\.(\\w+)`, "g");
    const passedOn = new RegExp(`_createNamedExportFrom\\(${variable}, '[^']+', '([^']+)'\\)`, "g");
    const uses = [...code.matchAll(use), ...code.matchAll(passedOn)];
    const names = uses.flatMap(([, name]) => name ?? []);
    if (names.length > 0) {
      result[specifier] = [...new Set([...(result[specifier] ?? []), ...names])];
    }
  }
  return result;
}
