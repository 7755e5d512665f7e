import type { ImportSpecifier } from "es-module-lexer";
import type { Lexed } from "./lex.ts";
import { META } from "./meta.ts";

/** A piece of the source, and what stands there instead. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A JavaScript module whose imports are of packages alone, such as bundlers write: its imports and
 * exports are put into other words, and nothing else of it is read. Undefined for what has to be
 * compiled: files that import each other can do so in a circle, and then each name must be looked up
 * where it is used.
 */
export function rewire(
  source: string,
  [imports, exports]: Lexed,
  asynchronous: boolean,
): string | undefined {
  const statements = imports.filter(({ d }) => d === -1);
  const head: string[] = [HELPERS];
  const edits: Edit[] = [];
  for (const [index, statement] of statements.entries()) {
    const declared = declarations(source, statement, `_seam${index}`, asynchronous);
    if (declared === undefined) return undefined;
    head.push(declared);
    edits.push(blank(source, statement.ss, statement.se));
  }
  for (const { s } of exports) {
    const start = source.lastIndexOf("export", s);
    if (edits.some(({ from }) => from === start)) continue;
    const edit = exported(source, start);
    if (!edit) return undefined;
    edits.push(edit);
  }
  for (const { ss, e, d } of imports) {
    if (d === -2) edits.push({ from: ss, to: e, text: META });
    if (d >= 0) edits.push({ from: ss, to: ss + "import".length, text: "jitiImport" });
  }
  if (source.startsWith("#!")) edits.push({ from: 0, to: 2, text: "//" });
  return edited(source, edits, head.join(""));
}

/** The same that the compiler writes for modules of the older kind, which have no default. */
const HELPERS =
  'Object.defineProperty(exports, "__esModule", { value: true });' +
  "function _interopRequireWildcard(m) { return m && m.__esModule ? m : Object.assign({}, m, { default: m }); }" +
  "function _interopRequireDefault(m) { return m && (m.__esModule || m[Symbol.toStringTag] === 'Module') ? m : { default: m }; }";

// import one, { two as three } from "x"   import * as all from "x"   import "x"
const CLAUSE =
  /^import\s*(?:(?<one>[\w$]+)\s*,?\s*)?(?:\*\s*as\s+(?<all>[\w$]+)\s*|\{(?<some>[^}]*)\}\s*)?(?:from\s*)?(["'])[^"']+\4$/;
const NAMED = /^(?:([\w$]+)\s+as\s+)?([\w$]+)$/;

function declarations(
  source: string,
  { ss, se, n: specifier }: ImportSpecifier,
  variable: string,
  asynchronous: boolean,
): string | undefined {
  const clause = CLAUSE.exec(source.slice(ss, se));
  if (!clause || specifier === undefined || /^[./]|^file:/.test(specifier)) return undefined;
  const { one, all, some = "" } = clause.groups ?? {};
  const named = listed(some);
  if (!named) return undefined;
  const from = JSON.stringify(specifier);
  const load = asynchronous ? `await jitiImport(${from})` : `require(${from})`;
  return [
    `var ${variable} = ${load};`,
    ...(one ? [`const ${one} = _interopRequireDefault(${variable}).default;`] : []),
    ...(all ? [`var ${all} = _interopRequireWildcard(${variable});`] : []),
    ...named.map(([name, local]) => `const ${local} = ${memberOf(variable, name)};`),
  ].join("");
}

const memberOf = (variable: string, name: string) =>
  name === "default" ? `_interopRequireDefault(${variable}).default` : `${variable}.${name}`;

/** The pairs of a list such as `a as b, c`; undefined if there is something else in it. */
function listed(text: string): [first: string, second: string][] | undefined {
  const items = text.split(",").map((one) => one.trim());
  const pairs = items.filter((one) => one !== "").map((one) => NAMED.exec(one));
  if (!pairs.every((one) => one !== null)) return undefined;
  return pairs.map(([, first, second = ""]) => [first ?? second, second]);
}

/** A list of names, or a default that is an expression: what bundlers write at the end. */
function exported(source: string, from: number): Edit | undefined {
  const [list, names] = /^export\s*\{([^}]*)\}(?!\s*from\b)/.exec(source.slice(from)) ?? [];
  if (list !== undefined && names !== undefined) {
    const to = from + list.length;
    const getters = listed(names)?.map(
      ([local, name]) =>
        `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => ${local} });`,
    );
    return getters && { from, to, text: getters.join("") + linesOf(source, from, to) };
  }
  const [start] =
    /^export\s+default\s+(?!async\b|function\b|class\b)/.exec(source.slice(from)) ?? [];
  if (start === undefined) return undefined;
  return {
    from,
    to: from + start.length,
    text: `exports.default = ${linesOf(source, from, from + start.length)}`,
  };
}

/** Line numbers in errors stay those of the file. */
const linesOf = (source: string, from: number, to: number) =>
  source.slice(from, to).replace(/[^\n]+/g, "");

const blank = (source: string, from: number, to: number): Edit => ({
  from,
  to,
  text: linesOf(source, from, to),
});

function edited(source: string, edits: readonly Edit[], head: string): string {
  let result = head;
  let at = 0;
  for (const { from, to, text } of [...edits].sort((a, b) => a.from - b.from)) {
    if (from < at) continue;
    result += source.slice(at, from) + text;
    at = to;
  }
  return result + source.slice(at);
}
