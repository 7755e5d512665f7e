import { isCredential, isPasswordName } from "./credential-value.ts";
import { isSecretName, NAME_WORD } from "./secret-names.ts";
import type { Span } from "./span.ts";

interface Cell {
  readonly text: string;
  readonly start: number;
}

const HAS_NAME = new RegExp(NAME_WORD.source, "i");
const BAR_AFTER = /[\w `*-]{0,12}[ \t]{0,40}\|/y;
const BAR_BEFORE = /\|[ \t`*]{0,40}[\w -]{0,32}$/;
const FURTHEST_BAR = 80;
/** How a cell is marked in Markdown: as code, or in bold. */
const MARKS = /^[`*_]{1,3}(?=\S)|(?<=\S)[`*]{1,3}$/g;
const ONE_NAME = /^[A-Za-z][\w -]{0,47}$/;
/** `|---|:--:|`, `------+------`, `+----+----+`: the line below the names. */
const RULE = /^[ \t]*[|+]?[ \t]*:?-{2,}:?[ \t]*(?:[|+][ \t]*:?-{2,}:?[ \t]*)*[|+]?[ \t]*$/;
/** Also as it stands in a string of JSON. */
const LINE_END = /\r?\n|(?:\\+r)?\\+n/g;
const MOST_ROWS = 500;
const LONGEST_ROW = 4_096;

/** Whether a word could be the name in a table. Most texts have none: they are not read line by line. */
export function isBesideBar(text: string, start: number, end: number): boolean {
  BAR_AFTER.lastIndex = end;
  if (BAR_AFTER.test(text)) return true;
  return BAR_BEFORE.test(text.slice(Math.max(0, start - FURTHEST_BAR), start));
}

/** Secrets in tables: below a name (`| user | password |`) or beside it (`| password | … |`). */
export function findTables(text: string): Span[] {
  const spans: Span[] = [];
  /** The columns of the table that is being read whose cells are secrets, with their names. */
  let columns = new Map<number, string>();
  let rows = 0;
  for (const { line, start } of linesOf(text)) {
    if (line.length > LONGEST_ROW || !line.includes("|")) {
      if (!RULE.test(line)) columns = new Map();
      continue;
    }
    if (RULE.test(line)) continue;
    const cells = cellsOf(line, start);
    if (++rows > MOST_ROWS) columns = new Map();
    for (const [at, name] of columns) spans.push(...secretIn(cells[at], name));
    if (!HAS_NAME.test(line)) continue;
    for (const [at, { text: name }] of cells.entries()) {
      if (!ONE_NAME.test(name) || !isSecretName(name.replaceAll(" ", "_"))) continue;
      const beside = secretIn(cells[at + 1], name);
      spans.push(...beside);
      if (beside.length > 0) continue;
      columns.set(at, name);
      rows = 0;
    }
  }
  return spans;
}

function secretIn(cell: Cell | undefined, name: string): Span[] {
  const isPassword = isPasswordName(name.replaceAll(" ", "_"));
  if (!cell || !isCredential(cell.text, "bare", isPassword)) return [];
  return [{ start: cell.start, end: cell.start + cell.text.length, kind: "credential" }];
}

function* linesOf(text: string): Generator<{ line: string; start: number }> {
  let start = 0;
  for (const { index, 0: end } of text.matchAll(LINE_END)) {
    yield { line: text.slice(start, index), start };
    start = index + end.length;
  }
  yield { line: text.slice(start), start };
}

/** What stands between the bars, without the space and the marks around it. */
function cellsOf(line: string, start: number): Cell[] {
  const cells: Cell[] = [];
  let at = start;
  for (const part of line.split("|")) {
    const marked = part.trim();
    const text = marked.replace(MARKS, "");
    const from = at + part.indexOf(marked) + Math.max(0, marked.indexOf(text));
    cells.push({ text, start: from });
    at += part.length + 1;
  }
  return cells;
}
