import { createJiti, type TransformOptions } from "jiti";
import { transform as sucrase } from "sucrase";

const babel = createJiti(import.meta.url, { fsCache: false });

// What the quick compiler leaves as it is and Node could not run in a function.
const UNUSUAL = /\bimport\s*\.\s*meta\b|\bimport\s*\(|^\s*@\w|\bimport\s+\w+\s*=|\bexport\s*=/m;

/**
 * TypeScript in, a CommonJS-style function body out. Nearly every extension is ordinary enough for
 * a compiler that only takes types away, at a fifth of the time; the rest goes to the thorough
 * one, which also words the syntax errors.
 */
export function compile(options: TransformOptions): string {
  const { source, filename = "", async: asynchronous } = options;
  if (UNUSUAL.test(source)) return babel.transform(options);
  try {
    const { code } = sucrase(source, {
      transforms: ["typescript", "imports", ...(filename.endsWith("x") ? (["jsx"] as const) : [])],
      filePath: filename,
      keepUnusedImports: false,
    });
    return asynchronous ? code.replaceAll(REQUIRE, "var $1 = await jitiImport('$2');") : code;
  } catch {
    return babel.transform(options);
  }
}

/** The form in which the quick compiler writes an import. */
const REQUIRE = /\bvar (_\w+) = require\('([^'\\]+)'\);/g;
