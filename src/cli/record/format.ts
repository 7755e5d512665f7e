import { basename } from "node:path";
import { agentNamed, agentOfType, tellsUsage } from "../../agents/index.ts";
import type { TokenUsage } from "../../events/index.ts";
import { truncateToWidth } from "../../terminal/index.ts";
import { lineWidth } from "../print.ts";

/** Without what would change a terminal or turn text around: agents and others wrote it. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** The same for every text in something that was read. */
export function plain<T>(value: T): T;
export function plain(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) return value.map((one) => plain(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [plainText(key), plain(one)]),
  );
}

/** One line of at most so many columns; as a rule, what fits beside an indent. */
export function oneLine(text: string, most = lineWidth() - 8): string {
  return truncateToWidth(plainText(text.replace(/\s+/g, " ")).trim(), Math.max(most, 8), "…");
}

/** The name by which users know an agent. */
export function agentType(name: string): string {
  return agentNamed(name)?.type ?? plainText(name);
}

/** "12,345 in (9,000 cached), 678 out, 3 model calls", and the same of the subagents, if there were any. */
export function tokensParts(usage: TokenUsage): string[] {
  const { subagent_tokens: children } = usage;
  return [ownTokens(usage), ...(children ? [`subagents: ${tokensLine(children)}`] : [])];
}

export function tokensLine(usage: TokenUsage): string {
  return tokensParts(usage).join("; ");
}

function ownTokens(usage: TokenUsage): string {
  const { input_tokens, cache_read_tokens, cache_creation_tokens } = usage;
  const all = input_tokens + cache_read_tokens + cache_creation_tokens;
  // What is written into a cache was not in it.
  const cached = cache_read_tokens > 0 ? ` (${count(cache_read_tokens)} cached)` : "";
  const calls = plural(usage.api_call_count, "model call");
  return `${count(all)} in${cached}, ${count(usage.output_tokens)} out, ${calls}`;
}

/** The work of a turn can be in several commits: what it used is in the first one's checkpoint. */
export function isUnused(usage: TokenUsage | undefined): boolean {
  const { api_call_count = 1, output_tokens = 0, subagent_tokens } = usage ?? {};
  return api_call_count === 0 && output_tokens === 0 && !subagent_tokens;
}

/** Whether a zero means nothing used, and not that the agent, by name or type, never says. */
export function isTold(usage: TokenUsage | undefined, agent = ""): boolean {
  if (!isUnused(usage)) return true;
  const known = agentNamed(agent) ?? agentOfType(agent);
  return known === undefined || tellsUsage(known.transcript);
}

/** Dollars with cents; what is less than a cent keeps the digits that say something. */
export function money(cost: number): string {
  if (cost === 0 || cost >= 0.01) return cost.toFixed(2);
  return cost < 0.0001 ? "<0.0001" : cost.toFixed(4);
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

export function plural(value: number, word: string, many = `${word}s`): string {
  return `${count(value)} ${value === 1 ? word : many}`;
}

/** The beginnings of ids, as long as it takes to tell each from the others. */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const all = [...new Set(ids)];
  return (id) => {
    let length = Math.max(SHORTEST_ID, STAMP.exec(id)?.[0].length ?? 0);
    const start = () => id.slice(0, length);
    while (length < id.length && all.some((one) => one !== id && one.startsWith(start()))) length++;
    return plainText(start());
  };
}

const SHORTEST_ID = 8;
/** A name and a time: before its end, an id like that is the same for all sessions of a day. */
const STAMP = /^[a-z]+-\d{14}/;

/** Local time to the minute: the one way in which Seam writes a date for people. */
export function when(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The same of what happens just now: the time of day to the second. */
export function clock(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

const two = (value: number) => String(value).padStart(2, "0");

/** A prepared model is known by its file: the whole path says no more. */
export function modelName(model: string): string {
  const [, path] = /^(?:scripted\/)?(\/.+)$/.exec(model) ?? [];
  return plainText(path === undefined ? model : `scripted:${basename(path)}`);
}

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : [bytes / 1e6, "MB"];
  return `${value.toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}`;
}
