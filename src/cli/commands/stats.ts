import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { daemonPaths } from "../../daemon/index.ts";
import {
  STATS_BY,
  type StatsAnswer,
  type StatsRequest,
  type StatsRow,
  stats,
} from "../../search/index.ts";
import { agentNameIn } from "../agent-called.ts";
import { paint, printJson } from "../print.ts";
import { sinceTime, untilTime } from "../record/dates.ts";
import { agentType, money, plain } from "../record/format.ts";
import { printLong } from "../record/pager.ts";
import { stateLine, waitForIndex } from "../record/wait-for-index.ts";
import { shownFolder } from "../shown-path.ts";

interface Options extends StatsRequest {
  json?: boolean;
}

export function addStats(program: Command): void {
  program
    .command("stats")
    .option("--by <what>", `${STATS_BY.join(", ")}`, "day")
    .option("--since <time>", "only from then on: 2026-11-17, 12h, 7d, 2w", sinceTime)
    .option("--until <time>", "only up to then", untilTime)
    .option("--agent <name>", "only of this agent: claude-code, codex …", agentNameIn)
    .option("--project <folder>", "only of this project: its folder, or a part of its path")
    .option("--model <name>", "only of this model")
    .option("--session <id>", "only of this session; the beginning of its id will do")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Each call of a model counts once. Tokens are what the agents wrote down. The cost is
what the agent wrote down, or else made from a table of prices; a model that is not in
it has no cost here. Other prices: the setting prices.

Examples:
  seam stats
  seam stats --by model --since 7d
  seam stats --by project --agent codex
  seam stats --by session --project . --json`,
    )
    .action(run);
}

async function run({ json, project, ...rest }: Options): Promise<void> {
  const paths = daemonPaths();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const isFolder = project !== undefined && existsSync(project);
  const request: StatsRequest = {
    ...rest,
    timezone: timeZone,
    ...(project !== undefined && { project: isFolder ? resolve(project) : project }),
  };
  const index = await waitForIndex(paths);
  const { answer } = await stats(paths, request, 0);
  if (json) return printJson({ ...answer, ...(!index.isComplete && { index_incomplete: true }) });
  const state = stateLine(index);
  const notes = state === undefined ? [] : [paint("yellow", state)];
  await printLong([...(answer ? linesOf(answer) : ["There is nothing to add up yet."]), ...notes]);
}

function linesOf(answer: StatsAnswer): string[] {
  const { by, rows, total, unknownPrices, pricesOf } = answer;
  if (rows.length === 0) return ["There is nothing to add up."];
  const head = [by, "calls", "input", "output", "cache read", "write", "cost"];
  const cells = [...rows, total].map((row, index) => cellsOf(row, index < rows.length ? by : ""));
  const lines = aligned([head, ...cells]);
  const [title = "", ...body] = lines;
  const rule = "─".repeat(title.length);
  const notes = [paint("dim", `Prices of ${pricesOf}; dollars. Your own: the setting prices.`)];
  if (unknownPrices.length > 0) {
    const names = unknownPrices.map((name) => plain(name)).join(", ");
    notes.push(paint("yellow", `No price is known of ${names}; a cost with + lacks them.`));
  }
  return [
    paint("bold", title),
    ...body.slice(0, -1),
    paint("dim", rule),
    body.at(-1) ?? "",
    "",
    ...notes,
  ];
}

function cellsOf(row: StatsRow, by: string): string[] {
  const { key, calls, input, output, cacheRead, cacheWrite } = row;
  const name = by === "project" ? shownFolder(key) : by === "agent" ? agentType(key) : key;
  return [
    shortened(plain(name)),
    ...[calls, input, output, cacheRead, cacheWrite].map(short),
    costText(row),
  ];
}

/** A name that is longer leaves no room for the numbers. */
const LONGEST_NAME = 24;

function shortened(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  // An id is known by its beginning, a folder by its end.
  return name.includes("/")
    ? `…${name.slice(1 - LONGEST_NAME)}`
    : `${name.slice(0, LONGEST_NAME - 1)}…`;
}

/** Three or four digits: 12,345,678 is "12.3M". */
function short(value: number): string {
  if (value < 10_000) return String(value);
  const [unit, factor] = value < 1_000_000 ? ["k", 1_000] : value < 1e9 ? ["M", 1e6] : ["G", 1e9];
  const scaled = value / Number(factor);
  return `${scaled < 100 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
}

function costText({ cost, unpriced = 0 }: StatsRow): string {
  if (cost === undefined) return "unknown";
  return `${money(cost)}${unpriced > 0 ? "+" : ""}`;
}

/** The first column to the left, numbers to the right; at most 80 columns. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  "),
  );
}
