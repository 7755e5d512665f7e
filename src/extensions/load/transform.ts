import { createJiti, type TransformOptions, type TransformResult } from "jiti";

/** Changed with everything below, so that no cached module has an old shape. */
export const TRANSFORM_VERSION = 1;

/** The module through which a loaded file reaches its loader. */
export const INSIDE = "seam:inside";

const compiler = createJiti(import.meta.url, { fsCache: false });

/**
 * Compiles one file of an extension, and adds at its head: a check that every name it imports
 * from Seam is there, and timers that cannot end the process. All on the first line: line numbers
 * in errors stay those of the file.
 */
export function transform(options: TransformOptions): TransformResult {
  const code = compiler.transform(options);
  const names = JSON.stringify(importedNames(code));
  const asynchronous = options.async === true;
  const wait = asynchronous ? "await " : "";
  const fn = asynchronous ? "async " : "";
  const inside = asynchronous ? `await jitiImport("${INSIDE}")` : `require("${INSIDE}")`;
  // Two functions: a file that declares its own setTimeout must not collide with the parameters.
  const open =
    `"use strict";const __seam = ${inside};__seam.enter(__filename, ${names});` +
    `${wait}(${fn}function (setTimeout, setInterval, setImmediate, queueMicrotask) {` +
    `${wait}(${fn}() => {`;
  const close = "\n})();\n})(...__seam.timers);";
  return { code: open + code + close };
}

// var _piTui = await jitiImport("@earendil-works/pi-tui");
const NAMED_IMPORT = /\bvar (\w+) = (?:await jitiImport|require)\("([^"]+)"\);/g;

/** Which names a compiled file takes from which module. Types are gone by now. */
function importedNames(code: string): Record<string, string[]> {
  const result: Record<string, string[]> = {};
  for (const [, variable, specifier] of code.matchAll(NAMED_IMPORT)) {
    if (!variable || !specifier) continue;
    const uses = code.matchAll(
      new RegExp(`(?<![\\w$.])${variable.replaceAll("$", "\\$")}\\.(\\w+)`, "g"),
    );
    const names = new Set([...uses].map(([, name]) => name).filter((name) => name !== undefined));
    if (names.size > 0) result[specifier] = [...new Set([...(result[specifier] ?? []), ...names])];
  }
  return result;
}
