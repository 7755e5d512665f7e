import { isRecord } from "../../values/index.ts";
import { type Json, parsed, record, text } from "../transcripts/json.ts";

/** A message as `opencode export` writes it. */
export interface ExportedMessage {
  readonly info: Json;
  readonly parts: readonly Json[];
}

/** Where a session is: the database, and its id there. */
export interface DatabaseRef {
  readonly path: string;
  readonly sessionId: string;
}

export function databaseRef(path: string, sessionId: string): string {
  return `${path}#${sessionId}`;
}

/** Undefined for other refs, such as a file with an exported session. */
export function parseRef(ref: string): DatabaseRef | undefined {
  const [, path, sessionId] = /^(.+)#(ses_[A-Za-z0-9]+)$/.exec(ref) ?? [];
  return path === undefined || sessionId === undefined ? undefined : { path, sessionId };
}

type Query = (sql: string, ...values: (string | number)[]) => Json[];

/** Looks into a database that OpenCode may be using. */
export async function withDatabase<T>(path: string, look: (query: Query) => T): Promise<T> {
  const { default: Database } = await import("libsql");
  // The driver's own option for this does nothing, and it would make a database that is missing.
  const url = `file:${path.split("/").map(encodeURIComponent).join("/")}?mode=ro`;
  const database = new Database(url, { timeout: 2000 });
  try {
    database.exec("PRAGMA query_only = ON");
    return look((sql, ...values) =>
      database
        .prepare(sql)
        .all(...values)
        .filter(isRecord),
    );
  } finally {
    database.close();
  }
}

/** The messages of a session from one on, with the parts of each. */
export function messagesFrom(query: Query, sessionId: string, from: number): ExportedMessage[] {
  const rows = query(
    "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT -1 OFFSET ?",
    sessionId,
    from,
  );
  return rows.map((row) => {
    const messageID = text(row.id) ?? "";
    const parts = query("SELECT id, data FROM part WHERE message_id = ? ORDER BY id", messageID);
    return {
      info: { ...record(parsed(row.data)), id: messageID, sessionID: sessionId },
      parts: parts.map((part) => ({
        ...record(parsed(part.data)),
        id: part.id,
        sessionID: sessionId,
        messageID,
      })),
    };
  });
}

/** What `opencode export` says of a session before its messages. */
export function infoOf(query: Query, sessionId: string): Json | undefined {
  const [row] = query("SELECT * FROM session WHERE id = ?", sessionId);
  if (!row) return undefined;
  const info = {
    id: row.id,
    slug: row.slug,
    projectID: row.project_id,
    workspaceID: row.workspace_id,
    directory: row.directory,
    path: row.path,
    parentID: row.parent_id,
    title: row.title,
    agent: row.agent,
    model: parsed(row.model),
    version: row.version,
    summary: present({
      additions: row.summary_additions,
      deletions: row.summary_deletions,
      files: row.summary_files,
    }),
    cost: row.cost,
    tokens: {
      input: row.tokens_input,
      output: row.tokens_output,
      reasoning: row.tokens_reasoning,
      cache: { read: row.tokens_cache_read, write: row.tokens_cache_write },
    },
    permission: parsed(row.permission),
    time: { created: row.time_created, updated: row.time_updated },
  };
  return present(info);
}

/**
 * The session that one was forked from. OpenCode does not note it: a fork has its title, with a
 * number, and copies of its messages, which keep their time.
 */
export function originOf(query: Query, sessionId: string): string | undefined {
  const [fork] = query("SELECT * FROM session WHERE id = ?", sessionId);
  const [, title, number] = /^(.+) \(fork #(\d+)\)$/s.exec(text(fork?.title) ?? "") ?? [];
  const begun = firstTime(query, sessionId);
  if (!fork || title === undefined || begun === undefined) return undefined;
  const before = Number(number) > 1 ? `${title} (fork #${Number(number) - 1})` : title;
  const rows = query(
    "SELECT id FROM session WHERE title = ? AND id <> ? ORDER BY time_created DESC",
    before,
    sessionId,
  );
  const ids = rows.flatMap(({ id }) => text(id) ?? []);
  return ids.find((id) => firstTime(query, id) === begun);
}

/** When the first message of a session was written. */
function firstTime(query: Query, sessionId: string): number | undefined {
  const [row] = query(
    "SELECT data FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT 1",
    sessionId,
  );
  const { created } = record(record(parsed(row?.data)).time);
  return typeof created === "number" ? created : undefined;
}

/** Every session, with something that changes when it does. */
export function allSessions(query: Query) {
  const rows = query(
    "SELECT s.id, s.directory, s.parent_id, s.time_updated, (SELECT count(*) || '/' || max(m.time_updated) FROM message m WHERE m.session_id = s.id) AS said FROM session s",
  );
  return rows.flatMap((row) => {
    const id = text(row.id);
    const mark = `0/${row.time_updated}/${row.said}`;
    const about = { directory: text(row.directory), parent: text(row.parent_id) };
    return id === undefined ? [] : [{ id, mark, ...about }];
  });
}

export function childrenOf(query: Query, sessionId: string): string[] {
  const rows = query("SELECT id FROM session WHERE parent_id = ? ORDER BY id", sessionId);
  return rows.flatMap(({ id }) => text(id) ?? []);
}

export function countMessages(query: Query, sessionId: string): number {
  const [row] = query("SELECT count(*) AS n FROM message WHERE session_id = ?", sessionId);
  return Number(row?.n ?? 0);
}

function present(values: Json): Json {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
}
