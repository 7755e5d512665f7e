import type { Case, Detail } from "./frame.ts";

export interface Result extends Case {
  readonly bench: string;
}

export function toJson(results: readonly Result[]): string {
  return JSON.stringify({ cases: results });
}

export function toText(results: readonly Result[]): string {
  const lines = results.flatMap((result) => [
    `${result.ok ? "ok    " : "MISSED"}  ${result.name}: ${measured(result)}, bar: ${barOf(result)}`,
    ...(result.detail.length > 0 ? [`          ${detailsOf(result)}`] : []),
  ]);
  const missed = results.filter(({ ok }) => !ok).length;
  const end = missed === 0 ? "All bars are met." : `${missed} of ${results.length} missed.`;
  return [...lines, "", end].join("\n");
}

export function toMarkdown(results: readonly Result[]): string {
  const rows = results.map(
    (result) =>
      `| ${result.name} | ${measured(result)}${result.ok ? "" : " (missed)"} | ${barOf(result)} | ${detailsOf(result)} |`,
  );
  return ["| case | measured | bar | medians |", "|---|---|---|---|", ...rows].join("\n");
}

/** Puts the tables between their markers; a text without the markers stays as it is. */
export function writeInto(text: string, results: readonly Result[]): string {
  let written = text;
  for (const bench of new Set(results.map((result) => result.bench))) {
    const table = toMarkdown(results.filter((result) => result.bench === bench));
    const between = new RegExp(`(<!-- bench:${bench} -->).*?(<!-- /bench -->)`, "s");
    written = written.replace(between, (_, open, close) => `${open}\n${table}\n${close}`);
  }
  return written;
}

const measured = ({ value, unit }: Result) => `${round(value)} ${unit}`;
const barOf = ({ rule, bar }: Result) => `${rule} ${round(bar)}`;
const detailsOf = ({ detail }: Result) => detail.map(showDetail).join(", ");
const showDetail = ({ name, value, unit }: Detail) => `${name} ${round(value)} ${unit}`;

/** Three digits say enough about a measurement. */
function round(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
