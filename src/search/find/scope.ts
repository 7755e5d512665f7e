import type { SearchRequest } from "../request.ts";
import { type Database, numberIn, type Value } from "../store/database.ts";
import { type Conditions, conditionsOf } from "./filters.ts";

/** Entries among which the ones are that filters leave. */
export interface Scope {
  /** A SELECT of their numbers. */
  readonly sql: string;
  readonly values: readonly Value[];
  /** None that passes the filters is elsewhere. */
  readonly isWhole: boolean;
  readonly isEmpty: boolean;
}

/** What a request is narrowed by. */
export interface Filters extends Conditions {
  readonly scope?: Scope;
}

export function filtersOf(database: Database, request: SearchRequest): Filters {
  const conditions = conditionsOf(request);
  const scope = scopeOf(database, conditions);
  return { ...conditions, ...(scope && { scope }) };
}

/** Where filters leave more entries than this, whoever looks through all of them meets some soon. */
const MOST_ENTRIES = 20_000;
/** Of more sessions than this, the newest are looked at first. */
const MOST_SESSIONS = 100;

/**
 * Where to look when there are filters. A word that is everywhere would otherwise be looked up in
 * every entry that has it, to find the few that pass. Undefined: the filters leave too many.
 */
function scopeOf(database: Database, { ofEntries, ofSessions }: Conditions): Scope | undefined {
  const few =
    ofEntries &&
    scope(database, `SELECT e.id FROM entries e WHERE ${ofEntries.sql}`, ofEntries.values);
  if (few?.isWhole || !ofSessions) return few?.isWhole ? few : undefined;
  const sessions = `SELECT s.id FROM sessions s WHERE ${ofSessions.sql} ORDER BY s.last DESC`;
  const more = database.all(`${sessions} LIMIT ?`, ...ofSessions.values, MOST_SESSIONS + 1);
  const near = scope(
    database,
    `SELECT e.id FROM entries e WHERE e.session IN (${sessions} LIMIT ${MOST_SESSIONS})`,
    ofSessions.values,
  );
  const isWhole = near.isWhole && more.length <= MOST_SESSIONS;
  return { ...near, isWhole, isEmpty: near.isEmpty && isWhole };
}

/** The newest of what is selected. */
function scope(database: Database, select: string, values: readonly Value[]): Scope {
  const sql = `${select} ORDER BY e.id DESC LIMIT ${MOST_ENTRIES + 1}`;
  const count = numberIn(database.one(`SELECT count(*) AS n FROM (${sql})`, ...values), "n") ?? 0;
  return { sql, values, isWhole: count <= MOST_ENTRIES, isEmpty: count === 0 };
}
