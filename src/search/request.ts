import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { AGENT_NAMES } from "../agents/index.ts";
import { SeamError } from "../errors/index.ts";
import { nearest } from "../events/index.ts";
import { ROLES } from "./store/roles.ts";

const text = (description: string) => Type.Optional(Type.String({ description, maxLength: 4_096 }));
const time = (description: string) =>
  Type.Optional(Type.String({ description: `${description}: ISO date or time`, maxLength: 64 }));

const filters = {
  agent: text(`only of this agent: ${AGENT_NAMES.join(", ")}`),
  project: text("only of this project: its folder, or a part of its path"),
  since: time("only from then on"),
  until: time("only before then"),
};

export const SearchRequest = Type.Object(
  {
    query: Type.String({
      description:
        'Words that all have to be there, "a phrase", or the beginning* of a word. Empty: the newest entries that pass the filters.',
      maxLength: 2_000,
      default: "",
    }),
    ...filters,
    file: text("only of sessions that changed a file with this path, or end of a path"),
    role: text(`only what is: ${ROLES.join(", ")}`),
    tool: text("only calls of this tool: bash, edit, read …"),
    stopped: Type.Optional(Type.Boolean({ description: "only calls that were stopped" })),
    commit: text("only of the sessions behind this commit"),
    session: text("only of this session; the beginning of its id will do"),
    in: Type.Optional(
      Type.Union([Type.Literal("tools"), Type.Literal("all")], {
        description: "also what tools were given and gave back (all), or only that (tools)",
      }),
    ),
    substring: Type.Optional(
      Type.Boolean({ description: "the query as it is, also inside of words" }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 10 })),
    cursor: text("as the last answer gave it, for what comes after"),
    snippet: Type.Optional(
      Type.Integer({
        description: "characters of a snippet",
        minimum: 20,
        maximum: 2_000,
        default: 160,
      }),
    ),
  },
  { additionalProperties: false },
);
export type SearchRequest = Static<typeof SearchRequest>;

/** What stats can be added up by. */
export const STATS_BY = ["day", "week", "month", "model", "agent", "project", "session"] as const;

export const StatsRequest = Type.Object(
  {
    by: text(`what the rows are: ${STATS_BY.join(", ")}`),
    ...filters,
    model: text("only of this model"),
    session: text("only of this session; the beginning of its id will do"),
    /** IANA name; days begin at midnight there. */
    timezone: text("in which days are counted"),
  },
  { additionalProperties: false },
);
export type StatsRequest = Static<typeof StatsRequest>;

/** A request as it came, checked; throws what is wrong with it in words. */
export function searchRequest(value: unknown): SearchRequest {
  const request = checked(SearchRequest, value);
  known("role", request.role, ROLES);
  return request;
}

export function statsRequest(value: unknown): StatsRequest {
  const request = checked(StatsRequest, value);
  known("grouping", request.by, STATS_BY);
  if (request.timezone !== undefined && !isTimezone(request.timezone)) {
    throw refused(`"${request.timezone}" is no time zone.`, "Name one like Europe/Berlin, or UTC.");
  }
  return request;
}

type Schema = typeof SearchRequest | typeof StatsRequest;

function checked<T extends Schema>(schema: T, value: unknown): Static<T> {
  const given: unknown = value ?? {};
  const filled: unknown = schema === SearchRequest ? { query: "", ...Object(given) } : given;
  if (!Value.Check(schema, filled)) {
    const [first] = Value.Errors(schema, filled);
    const where = first?.instancePath.slice(1) ?? "";
    throw refused(
      `${where === "" ? "the request" : where} ${first?.message ?? "is not understood"}.`,
      "What can be asked for: seam search --help, seam stats --help",
    );
  }
  for (const name of ["since", "until"] as const) instant(name, filled[name]);
  return filled;
}

/** An ISO date or time in milliseconds. */
export function instant(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = Date.parse(value);
  if (Number.isNaN(time)) {
    throw refused(`${name} "${value}" is no date or time.`, "Write a day as 2026-11-17.");
  }
  return time;
}

/** Refuses what is none of the names there are, and says which is meant. */
function known(what: string, value: string | undefined, names: readonly string[]): void {
  if (value === undefined || names.includes(value)) return;
  const near = nearest(value, names);
  const hint = near === undefined ? `It is one of: ${names.join(", ")}.` : `Did you mean ${near}?`;
  throw refused(`there is no ${what} "${value}".`, hint);
}

export function refused(detail: string, hint: string): SeamError {
  return new SeamError("SEAM_SEARCH_QUERY", { detail, hint });
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
