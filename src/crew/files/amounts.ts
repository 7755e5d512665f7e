import type { Budget } from "../model/workflow.ts";
import { type Keys, splitList } from "./keys.ts";

const UNITS: Readonly<Record<string, keyof Budget>> = {
  dollar: "dollars",
  dollars: "dollars",
  usd: "dollars",
  token: "tokens",
  tokens: "tokens",
  minute: "minutes",
  minutes: "minutes",
  min: "minutes",
  turn: "turns",
  turns: "turns",
};

/** `budget: $2, 30 minutes`, or the same as a map. */
export function budgetOf(keys: Keys, key = "budget"): Budget {
  const value = keys.value(key);
  if (value === undefined) return {};
  const entries = isPlainMap(value) ? Object.entries(value) : partsOf(String(value));
  const budget: { -readonly [Name in keyof Budget]: Budget[Name] } = {};
  for (const [name, amount] of entries) {
    const unit = UNITS[name.toLowerCase()];
    const number = typeof amount === "number" ? amount : Number(amount);
    if (unit === undefined && Number.isNaN(number)) {
      const text = `"${name}" is not an amount. Write one like "$5", "200k tokens", "60 minutes" or "40 turns".`;
      keys.problems.error(keys.line(key), text);
    } else if (unit === undefined) {
      const text = `"${name}" is nothing that a budget can limit: dollars, tokens, minutes or turns.`;
      keys.problems.error(keys.line(key), text, name, Object.keys(UNITS));
    } else if (!Number.isFinite(number) || number < 0) {
      keys.problems.error(keys.line(key), `"${String(amount)}" is not an amount of ${unit}.`);
    } else if (number === 0) {
      const text = `With a budget of 0 ${unit} nothing could start. Name an amount, or leave "${key}" out.`;
      keys.problems.error(keys.line(key), text);
    } else budget[unit] = number;
  }
  return budget;
}

/** The amounts in a text like "$2, 30 minutes"; undefined if it is something else. */
export function amountsIn(text: string): Budget | undefined {
  const amounts = partsOf(text).map(
    ([name, amount]) => [UNITS[name.toLowerCase()], amount] as const,
  );
  const isGood = amounts.every(([unit, amount]) => unit !== undefined && Number.isFinite(amount));
  return isGood && amounts.length > 0 ? Object.fromEntries(amounts) : undefined;
}

const isPlainMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** "$2, 30 minutes, 200k tokens": what stands before and after each number. */
function partsOf(text: string): [unit: string, amount: unknown][] {
  return splitList(text).map((part) => {
    const found = /^(\$?)\s*([\d._]+)\s*((?:[km](?![a-z]))?)\s*([A-Za-z]*)$/i.exec(part);
    if (!found) return [part, Number.NaN];
    const [, dollar, digits = "", size = "", unit = ""] = found;
    const factor = { "": 1, k: 1000, m: 1_000_000 }[size.toLowerCase()] ?? 1;
    const amount = Number(digits.replaceAll("_", "")) * factor;
    // "5m" means five minutes; millions are meant only with a unit.
    if (size.toLowerCase() === "m" && unit === "" && !dollar) return ["minutes", amount / factor];
    return [dollar ? "dollars" : unit, amount];
  });
}
