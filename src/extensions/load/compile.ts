import { createRequire } from "node:module";
import { Script } from "node:vm";
import type { TransformOptions } from "jiti";
import type * as Sucrase from "sucrase";
import { createJiti } from "./create-jiti.ts";
import { type Lexed, lex } from "./lex.ts";
import { META } from "./meta.ts";
import { rewire } from "./rewire.ts";

// sucrase is loaded for the first file that is not in the cache.
let sucrase: typeof Sucrase | undefined;

function quick(): typeof Sucrase {
  sucrase ??= createRequire(import.meta.url)("sucrase") as typeof Sucrase;
  return sucrase;
}

function thorough(options: TransformOptions): string {
  return createJiti(import.meta.url, { fsCache: false }).transform(options);
}

const TYPESCRIPT = /\.[cm]?tsx?$/;
// The quick compiler takes a namespace for a type and leaves it out.
const NAMESPACE = /\bnamespace\s+[\w.]+\s*\{/;

/**
 * A file of an extension in, a CommonJS-style function body out. JavaScript stays as it is but for
 * its imports and exports. Of TypeScript the quick compiler only takes the types away, at a fifth
 * of the time; what it cannot do, or does wrong, goes to the thorough one, which also words the
 * syntax errors.
 */
export function compile(options: TransformOptions): string {
  const { source, filename = "" } = options;
  const typed = TYPESCRIPT.test(filename);
  if (typed && NAMESPACE.test(source)) return thorough(options);
  try {
    const lexed = typed ? undefined : lex(source);
    if (lexed && isCommonJs(source, lexed)) return source;
    const rewired = lexed && rewire(source, lexed, options.async === true);
    if (rewired !== undefined) return rewired;
    const code = withoutTypes(options, typed);
    // Reads the code without running it: what the quick compiler got wrong is found here.
    new Script(`(async function () {${code}\n})`);
    return code;
  } catch {
    return thorough(options);
  }
}

/** Whether a file has nothing of a module in it: no import, no export. */
function isCommonJs(source: string, [imports, exports]: Lexed): boolean {
  return imports.length === 0 && exports.length === 0 && !source.startsWith("#!");
}

function withoutTypes(
  { source, filename = "", async: asynchronous }: TransformOptions,
  typed: boolean,
) {
  const { code } = quick().transform(source, {
    transforms: [
      "imports",
      ...(typed ? (["typescript"] as const) : []),
      ...(filename.endsWith("x") ? (["jsx"] as const) : []),
    ],
    filePath: filename,
    keepUnusedImports: !typed,
    preserveDynamicImport: true,
    disableESTransforms: true,
  });
  const waiting = asynchronous
    ? code.replaceAll(REQUIRE, "var $1 = await jitiImport('$2');")
    : code;
  return withoutModuleSyntax(waiting);
}

/** The form in which the quick compiler writes an import. */
const REQUIRE = /\bvar (_\w+) = require\('([^'\\]+)'\);/g;

/** Puts `import()` and `import.meta`, which are there only in modules, into words a function knows. */
function withoutModuleSyntax(code: string): string {
  let result = "";
  let at = 0;
  // Both begin with "import", and -2 says that it is import.meta; -1 is a statement.
  for (const { ss, e, d } of lex(code)[0]) {
    if (d === -1 || ss < at) continue;
    result += code.slice(at, ss) + (d === -2 ? META : "jitiImport");
    at = d === -2 ? e : ss + "import".length;
  }
  return result + code.slice(at);
}
