import type { Settings } from "../../settings/index.ts";
import type { StatsAnswer, StatsRow } from "../answer.ts";
import { addProject, escaped } from "../find/filters.ts";
import { instant, type StatsRequest } from "../request.ts";
import { type Database, numberIn, type Row, textIn, type Value } from "../store/database.ts";
import { Calendar } from "./calendar.ts";
import { costOf, PRICES_OF, priceOf } from "./prices.ts";

/** Every time zone is a whole number of these away from the others. */
const QUARTER_HOUR_MS = 900_000;
const UNKNOWN = "unknown";

/** Adds up what calls of models used. Each call is in the index once. */
export function stats(
  database: Database,
  request: StatsRequest,
  prices: Settings["prices"],
): StatsAnswer {
  const { by = "day" } = request;
  const calendar = new Calendar(request.timezone);
  const groups = new Map<string, Sum>();
  const total = new Sum("total");
  const unknownPrices = new Set<string>();
  for (const row of rowsOf(database, request)) {
    const key = keyOf(by, row, calendar);
    const sum = groups.get(key) ?? new Sum(key);
    groups.set(key, sum);
    const cost = costOfRow(row, prices);
    const model = textIn(row, "model");
    if (cost === undefined && model !== undefined && used(row) > 0) unknownPrices.add(model);
    for (const one of [sum, total]) one.add(row, cost);
  }
  const rows = [...groups.values()].map((sum) => sum.row(by));
  return {
    by,
    rows: isOverTime(by) ? rows.sort((a, b) => (a.key < b.key ? -1 : 1)) : rows.sort(mostFirst),
    total: total.row(by),
    unknownPrices: [...unknownPrices].sort(),
    pricesOf: PRICES_OF,
  };
}

function isOverTime(by: string): by is "day" | "week" | "month" {
  return by === "day" || by === "week" || by === "month";
}

function mostFirst(a: StatsRow, b: StatsRow): number {
  return (b.cost ?? 0) - (a.cost ?? 0) || tokensOf(b) - tokensOf(a);
}

const tokensOf = ({ input, output, cacheRead, cacheWrite }: StatsRow) =>
  input + output + cacheRead + cacheWrite;

function rowsOf(database: Database, request: StatsRequest): Row[] {
  const parts: string[] = [];
  const values: Value[] = [];
  const add = (sql: string, ...given: Value[]) => {
    parts.push(sql);
    values.push(...given);
  };
  const since = instant("since", request.since);
  const until = instant("until", request.until);
  if (request.agent !== undefined) add("c.agent = ?", request.agent);
  if (request.model !== undefined) add("c.model = ?", request.model);
  if (request.project !== undefined) addProject(add, request.project);
  if (request.session !== undefined)
    add("s.session LIKE ? ESCAPE '\\'", `${escaped(request.session)}%`);
  if (since !== undefined) add("c.at >= ?", since);
  if (until !== undefined) add("c.at < ?", until);
  const where = parts.map((part) => ` AND ${part}`).join("");
  const above = (column: string) => `sum(max(0, ${column} - 200000)) AS above_${column}`;
  return database.all(
    `SELECT s.session, s.project, c.agent, c.model, c.at / ${QUARTER_HOUR_MS} AS quarter, max(c.at) AS last,
       CASE WHEN input + cache_read + cache_write > 272000 THEN 272000
            WHEN input + cache_read + cache_write > 200000 THEN 200000 ELSE 0 END AS longer_than,
       sum(calls) AS calls, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read,
       sum(cache_write) AS cache_write, sum(cache_hour) AS cache_hour, sum(cost) AS cost, count(cost) AS costed,
       ${["input", "output", "cache_read", "cache_write"].map(above).join(", ")}
     FROM calls c JOIN sessions s ON s.id = c.session WHERE 1${where}
     GROUP BY c.session, c.agent, c.model, quarter, longer_than, cost IS NULL`,
    ...values,
  );
}

function keyOf(by: string, row: Row, calendar: Calendar): string {
  if (!isOverTime(by)) return textIn(row, by) ?? UNKNOWN;
  const quarter = numberIn(row, "quarter");
  return quarter === undefined ? UNKNOWN : calendar.name(by, quarter * QUARTER_HOUR_MS);
}

const number = (row: Row, name: string) => numberIn(row, name) ?? 0;

function used(row: Row): number {
  return ["input", "output", "cache_read", "cache_write"].reduce(
    (sum, name) => sum + number(row, name),
    0,
  );
}

/** What the agent wrote down itself, or by the price of the model; undefined if there is neither. */
function costOfRow(row: Row, prices: Settings["prices"]): number | undefined {
  if (number(row, "costed") > 0) return number(row, "cost");
  if (used(row) === 0) return 0;
  const price = priceOf(textIn(row, "model") ?? "", prices);
  return (
    price &&
    costOf(price, {
      input: number(row, "input"),
      output: number(row, "output"),
      cacheRead: number(row, "cache_read"),
      cacheWrite: number(row, "cache_write"),
      cacheHour: number(row, "cache_hour"),
      longerThan: number(row, "longer_than"),
      above: {
        input: number(row, "above_input"),
        output: number(row, "above_output"),
        cacheRead: number(row, "above_cache_read"),
        cacheWrite: number(row, "above_cache_write"),
      },
    })
  );
}

class Sum {
  readonly #key: string;
  readonly #models = new Set<string>();
  #calls = 0;
  #input = 0;
  #output = 0;
  #cacheRead = 0;
  #cacheWrite = 0;
  #cost = 0;
  #priced = 0;
  #unpriced = 0;
  #agent: string | undefined;
  #project: string | undefined;
  #last = 0;

  constructor(key: string) {
    this.#key = key;
  }

  add(row: Row, cost: number | undefined): void {
    const calls = number(row, "calls");
    this.#calls += calls;
    this.#input += number(row, "input");
    this.#output += number(row, "output");
    this.#cacheRead += number(row, "cache_read");
    this.#cacheWrite += number(row, "cache_write");
    if (cost === undefined) this.#unpriced += Math.max(calls, 1);
    else {
      this.#cost += cost;
      this.#priced++;
    }
    const model = textIn(row, "model");
    if (model !== undefined) this.#models.add(model);
    this.#agent = textIn(row, "agent");
    this.#project = textIn(row, "project");
    this.#last = Math.max(this.#last, number(row, "last"));
  }

  row(by: string): StatsRow {
    const isSession = by === "session" && this.#key !== "total";
    return {
      key: this.#key,
      calls: this.#calls,
      input: this.#input,
      output: this.#output,
      cacheRead: this.#cacheRead,
      cacheWrite: this.#cacheWrite,
      ...(this.#priced > 0 && { cost: this.#cost }),
      ...(this.#unpriced > 0 && { unpriced: this.#unpriced }),
      ...(by !== "model" && { models: [...this.#models].sort() }),
      ...(isSession && this.#agent !== undefined && { agent: this.#agent }),
      ...(isSession && this.#project !== undefined && { project: this.#project }),
      ...(isSession && this.#last > 0 && { at: new Date(this.#last).toISOString() }),
    };
  }
}
