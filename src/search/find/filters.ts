import { instant, type SearchRequest } from "../request.ts";
import type { Database, Value } from "../store/database.ts";
import { numberOfRole, ROLES, type Role } from "../store/roles.ts";

/** Conditions on entries (`e`) and their sessions (`s`), with the values for them. */
export interface Conditions {
  readonly sql: string;
  readonly values: readonly Value[];
  /** Whether any filter was given at all. */
  readonly isAny: boolean;
  /** What they say of sessions, and what of single entries: no entry passes that does not meet both. */
  readonly ofSessions?: Where;
  readonly ofEntries?: Where;
}

interface Where {
  readonly sql: string;
  readonly values: readonly Value[];
}

export function conditionsOf(request: SearchRequest): Conditions {
  const sessions = new Parts();
  const entries = new Parts();
  const times = new Parts();
  const add: Add = (sql, ...values) => sessions.add(sql, ...values);
  const { agent, project, file, role, tool, commit, session, stopped } = request;
  const since = instant("since", request.since);
  const until = instant("until", request.until);
  if (agent !== undefined) add("s.agent = ?", agent);
  if (project !== undefined) addProject(add, project);
  if (session !== undefined) add("s.session LIKE ? ESCAPE '\\'", `${escaped(session)}%`);
  if (since !== undefined) {
    times.add("coalesce(e.at, s.last) >= ?", since);
    add("s.last >= ?", since);
  }
  if (until !== undefined) {
    times.add("coalesce(e.at, s.last) < ?", until);
    add("s.first < ?", until);
  }
  if (isRole(role)) entries.add("e.role = ?", numberOfRole(role));
  if (stopped) entries.add("e.role = ?", numberOfRole("stop"));
  if (tool !== undefined) entries.add("e.tool = ?", tool);
  if (file !== undefined) {
    add(
      "EXISTS (SELECT 1 FROM files f WHERE f.session = s.id AND (f.path = ? OR f.path LIKE ? ESCAPE '\\'))",
      file,
      `%/${escaped(file.replace(/^\.?\//, ""))}`,
    );
  }
  if (commit !== undefined) {
    add(
      "EXISTS (SELECT 1 FROM commits c WHERE c.session = s.id AND c.sha LIKE ? ESCAPE '\\')",
      `${escaped(commit)}%`,
    );
  }
  const all = [sessions, entries, times].filter(({ isEmpty }) => !isEmpty);
  return {
    sql: all.map(({ where }) => ` AND ${where.sql}`).join(""),
    values: all.flatMap(({ where }) => where.values),
    isAny: all.length > 0,
    ...(!sessions.isEmpty && { ofSessions: sessions.where }),
    ...(!entries.isEmpty && { ofEntries: entries.where }),
  };
}

/** Conditions that are collected. */
class Parts {
  readonly #parts: string[] = [];
  readonly #values: Value[] = [];

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  get where(): Where {
    return { sql: this.#parts.join(" AND "), values: this.#values };
  }

  add(sql: string, ...values: Value[]): void {
    this.#parts.push(sql);
    this.#values.push(...values);
  }
}

type Add = (sql: string, ...values: Value[]) => void;

/** A folder with all that is below it, or a part of a path. */
export function addProject(add: Add, project: string): void {
  if (project.startsWith("/")) {
    const folder = project.replace(/\/+$/, "") || "/";
    add("(s.project = ? OR s.project LIKE ? ESCAPE '\\')", folder, `${escaped(folder)}/%`);
  } else add("s.project LIKE ? ESCAPE '\\'", `%${escaped(project)}%`);
}

export function escaped(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

function isRole(role: string | undefined): role is Role {
  return ROLES.some((one) => one === role);
}

/** Agents that have entries: a name that is none of them finds nothing, and its user wants to know. */
export function agentsIn(database: Database): string[] {
  return database.all("SELECT DISTINCT agent FROM sessions").map(({ agent }) => String(agent));
}
