import { createRequire } from "node:module";
import type { TransformOptions } from "jiti";
import type * as Sucrase from "sucrase";
import { createJiti } from "./create-jiti.ts";

// Loaded with the first file that is not in the cache.
let sucrase: typeof Sucrase | undefined;

function quick(): typeof Sucrase {
  sucrase ??= createRequire(import.meta.url)("sucrase") as typeof Sucrase;
  return sucrase;
}

function thorough(options: TransformOptions): string {
  return createJiti(import.meta.url, { fsCache: false }).transform(options);
}

// What the quick compiler leaves as it is and Node could not run in a function.
const UNUSUAL = /\bimport\s*\.\s*meta\b|\bimport\s*\(|^\s*@\w|\bimport\s+\w+\s*=|\bexport\s*=/m;

/**
 * TypeScript in, a CommonJS-style function body out. Nearly every extension is ordinary enough for
 * a compiler that only takes types away, at a fifth of the time; the rest goes to the thorough
 * one, which also words the syntax errors.
 */
export function compile(options: TransformOptions): string {
  const { source, filename = "", async: asynchronous } = options;
  if (UNUSUAL.test(source)) return thorough(options);
  try {
    const { code } = quick().transform(source, {
      transforms: ["typescript", "imports", ...(filename.endsWith("x") ? (["jsx"] as const) : [])],
      filePath: filename,
      keepUnusedImports: false,
    });
    return asynchronous ? code.replaceAll(REQUIRE, "var $1 = await jitiImport('$2');") : code;
  } catch {
    return thorough(options);
  }
}

/** The form in which the quick compiler writes an import. */
const REQUIRE = /\bvar (_\w+) = require\('([^'\\]+)'\);/g;
