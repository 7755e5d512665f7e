import type { SearchRequest } from "../request.ts";
import { type Database, numberIn, type Row, textIn, type Value } from "../store/database.ts";
import { numberOfRole, TOOL_ROLES } from "../store/roles.ts";
import { folded, gramsSought } from "../text/grams.ts";
import { expressionOf, type Term } from "../text/query.ts";
import { soughtTexts } from "../text/snippet.ts";
import type { Filters, Scope } from "./scope.ts";

/** An entry that was found, without its text. */
export interface Candidate {
  readonly id: number;
  readonly session: number;
  readonly role: number;
  readonly at: number | undefined;
  /** The higher, the better. */
  readonly score: number;
}

export interface Candidates {
  readonly found: readonly Candidate[];
  /** There were more; only the newest were looked at. */
  readonly isPartial: boolean;
}

/** At least this many hits are ranked before a search may stop early with the newest. */
const LEAST_RANKED = 500;
/** So many entries are looked up at a time: the beginning of a word is gathered anew each time. */
const STEP = LEAST_RANKED;
/** How many such steps a search takes at most, also for a word that is everywhere. */
const MOST_STEPS = 12;
/** The most that are listed without words. */
const MOST_LISTED = 1_500;
/** How much of a text is read to rank a hit. */
const SCORED_CHARACTERS = 2_000;
/** How many blocks of entries are searched for a text. */
const MOST_BLOCKS = 150;
/** A word in more entries than this does not tell one from the other. */
const COMMON = 20_000;

const COLUMNS = "e.id, e.session, e.role, e.at";
const ENTRIES = "entries e CROSS JOIN sessions s ON s.id = e.session";
// The table on the left leads. SQLite would else look up every entry of an index among the words.
const FROM = "CROSS JOIN entries e ON e.id = f.rowid CROSS JOIN sessions s ON s.id = e.session";

/** Entries in which all the terms are. */
export function withAllWords(
  database: Database,
  terms: readonly Term[],
  request: SearchRequest,
  filters: Filters,
  enough: number,
): Candidates {
  return found(database, terms, " AND ", request, filters, enough);
}

/** Entries in which one of the terms is, leaving out those that are nearly everywhere. */
export function withAnyWord(
  database: Database,
  terms: readonly Term[],
  request: SearchRequest,
  filters: Filters,
  enough: number,
): Candidates {
  const telling = terms.filter((term) => !isCommon(database, term));
  const any = telling.length > 0 ? telling : terms;
  return found(database, any, " OR ", request, filters, enough);
}

function isCommon(database: Database, term: Term): boolean {
  const row = database.one(
    `SELECT count(*) AS n FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ${COMMON + 1})`,
    expressionOf(term),
  );
  return (numberIn(row, "n") ?? 0) > COMMON;
}

function found(
  database: Database,
  terms: readonly Term[],
  joint: " AND " | " OR ",
  request: SearchRequest,
  filters: Filters,
  enough: number,
): Candidates {
  const expression = terms.map(expressionOf).join(joint);
  const sought = soughtTexts(terms).map(folded);
  const { scope } = filters;
  const all = tablesFor(request).map((table) => {
    const search = { database, table, expression, sought, filters, enough };
    const near = scope && foundIn(search, scope);
    if (near && scope.isWhole) return near;
    const isFull = near && sessionsIn(near.found) > enough;
    return isFull ? { ...near, isPartial: true } : foundIn(search);
  });
  return {
    found: all.flatMap((one) => one.found),
    isPartial: all.some(({ isPartial }) => isPartial),
  };
}

function tablesFor(request: SearchRequest): readonly ("words" | "outputs")[] {
  const wantsTools = [...TOOL_ROLES].some((role) => role === request.role);
  if (request.in === "tools" || wantsTools) return ["outputs"];
  return request.in === "all" ? ["words", "outputs"] : ["words"];
}

/** What is looked for in one of the tables. */
interface TableSearch {
  readonly database: Database;
  readonly table: "words" | "outputs";
  readonly expression: string;
  readonly sought: readonly string[];
  readonly filters: Filters;
  readonly enough: number;
}

function sessionsIn(found: readonly Candidate[]): number {
  return new Set(found.map(({ session }) => session)).size;
}

/**
 * The newest entries first, some at a time. A session with very many of them is left for the next
 * one: entries that were read together have consecutive numbers.
 */
function foundIn(
  { database, table, expression, sought, filters, enough }: TableSearch,
  scope?: Scope,
): Candidates {
  const found: Candidate[] = [];
  if (scope?.isEmpty) return { found, isPartial: false };
  let below = Number.MAX_SAFE_INTEGER;
  // With the sign in front of it, the number is compared before the entry is looked up.
  const within = scope ? ` AND +f.rowid IN (${scope.sql})` : "";
  for (let step = 0; step < MOST_STEPS; step++) {
    const rows = database.all(
      `SELECT ${COLUMNS}, substr(e.text, 1, ${SCORED_CHARACTERS}) AS text FROM ${table} f ${FROM} WHERE f.${table} MATCH ? AND f.rowid < ?${within}${filters.sql} ORDER BY f.rowid DESC LIMIT ?`,
      expression,
      below,
      ...(scope?.values ?? []),
      ...filters.values,
      STEP,
    );
    for (const row of rows) {
      found.push(candidate(row, scoreOf(textIn(row, "text") ?? "", sought)));
    }
    if (rows.length < STEP) return { found, isPartial: false };
    if (found.length >= LEAST_RANKED && sessionsIn(found) > enough) break;
    below = nextBelow(database, rows);
  }
  return { found, isPartial: true };
}

/** Where to go on: after the last one, or after all of its transcript if only that was found. */
function nextBelow(database: Database, rows: readonly Row[]): number {
  const last = numberIn(rows.at(-1), "id") ?? 0;
  if (rows.some(({ session }) => session !== rows[0]?.session)) return last;
  const block = database.one(
    "SELECT source FROM blocks WHERE first <= ? ORDER BY first DESC LIMIT 1",
    last,
  );
  const start = database.one(
    "SELECT min(first) AS first FROM blocks WHERE source = ?",
    numberIn(block, "source") ?? -1,
  );
  return Math.min(last, numberIn(start, "first") ?? last);
}

/** How much of a text is what was sought: a short text that has it often is about it. */
function scoreOf(text: string, sought: readonly string[]): number {
  const inText = folded(text);
  let score = 0;
  for (const word of sought) {
    let count = 0;
    for (let at = inText.indexOf(word); at >= 0 && count < 8; at = inText.indexOf(word, at + 1)) {
      count++;
    }
    if (count > 0) score += 1 + Math.log(count);
  }
  return (score + 0.1) / (1 + Math.log1p(inText.length / 200));
}

/** Entries in which a text is as it stands, also inside of words. Case makes no difference. */
export function withText(
  database: Database,
  text: string,
  { sql, values }: Filters,
  enough: number,
): Candidates {
  const grams = gramsSought(text);
  if (grams === undefined) return { found: [], isPartial: false };
  const needle = folded(text);
  const blocks = database.all(
    "SELECT b.first, b.last FROM grams g JOIN blocks b ON b.id = g.rowid WHERE g.grams MATCH ? ORDER BY g.rowid DESC LIMIT ?",
    grams,
    MOST_BLOCKS + 1,
  );
  // SQLite knows only these letters in both cases; it is quicker where it can be asked.
  const isPlain = /^[\s\x20-\x7e]*$/.test(needle);
  const tools = [...TOOL_ROLES].map(numberOfRole).join(", ");
  const found: Candidate[] = [];
  const sessions = new Set<number>();
  for (const block of blocks.slice(0, MOST_BLOCKS)) {
    // Of a session that has been found often enough, no more is read.
    if (found.length > LEAST_RANKED && isOf(database, block, sessions)) continue;
    const range: Value[] = [numberIn(block, "first") ?? 0, numberIn(block, "last") ?? -1];
    const rows = database.all(
      `SELECT ${COLUMNS}${isPlain ? "" : ", e.text"} FROM ${ENTRIES} WHERE e.id BETWEEN ? AND ? AND +e.role NOT IN (${tools})${isPlain ? " AND instr(lower(e.text), ?) > 0" : ""}${sql}`,
      ...range,
      ...(isPlain ? [needle] : []),
      ...values,
    );
    for (const row of rows) {
      if (!isPlain && !folded(textIn(row, "text") ?? "").includes(needle)) continue;
      found.push(candidate(row));
      sessions.add(numberIn(row, "session") ?? 0);
    }
    if (sessions.size > enough) return { found, isPartial: true };
  }
  return { found, isPartial: blocks.length > MOST_BLOCKS };
}

function isOf(database: Database, block: Row, sessions: ReadonlySet<number>): boolean {
  const first = database.one(
    "SELECT session FROM entries WHERE id = ?",
    numberIn(block, "first") ?? 0,
  );
  return sessions.has(numberIn(first, "session") ?? -1);
}

/** The newest entries that pass the filters. */
export function newest(database: Database, { sql, values, scope }: Filters): Candidates {
  const listed = (within?: Scope) =>
    database.all(
      `SELECT ${COLUMNS} FROM ${ENTRIES} WHERE 1${within ? ` AND e.id IN (${within.sql})` : ""}${sql} ORDER BY e.id DESC LIMIT ?`,
      ...(within?.values ?? []),
      ...values,
      MOST_LISTED + 1,
    );
  const near = scope && listed(scope);
  const rows = near && (scope.isWhole || near.length > MOST_LISTED) ? near : listed();
  return {
    found: rows.slice(0, MOST_LISTED).map((row) => candidate(row)),
    isPartial: rows.length > MOST_LISTED,
  };
}

function candidate(row: Row, score = 1): Candidate {
  return {
    id: numberIn(row, "id") ?? 0,
    session: numberIn(row, "session") ?? 0,
    role: numberIn(row, "role") ?? 0,
    at: numberIn(row, "at"),
    score,
  };
}
