import type { FileChange } from "../../settings/index.ts";
import { showDiff } from "../../tools/index.ts";
import { paint } from "../print.ts";
import { shownPath } from "../shown-path.ts";
import type { TrustItem } from "./items.ts";

const SAID: Record<TrustItem["trust"], string> = {
  trusted: "trusted",
  new: "new, never looked at",
  changed: "changed since you trusted it",
  gone: "gone since you trusted it",
};

/** One line for each, and what there is to decide about. */
export function itemLines(item: TrustItem): string[] {
  const { path, trust, critical, asks, fault, problem, files } = item;
  const marks = [stateOf(item), ...(critical ? ["critical"] : [])].join(", ");
  const lines = [`${paint("bold", plain(shownPath(path)))}  ${marks}`];
  if (trust === "trusted" && fault === undefined) return lines;
  for (const ask of asks) lines.push(`  asks to ${plain(ask)}`);
  if (trust === "changed" || trust === "gone") lines.push(`  ${GOES_ON[item.kind]}`);
  if (fault !== undefined) lines.push(`  What you trusted cannot be used: ${plain(fault)}`);
  if (problem) lines.push(`  ${plain(problem.message)}`, `  ${problem.next}`);
  if (trust === "new") lines.push(...fileLines(path, files));
  for (const change of trust === "new" ? [] : item.changes) lines.push(...changeLines(change));
  return lines;
}

function stateOf({ trust, trustedIn }: TrustItem): string {
  if (trustedIn === undefined) return SAID[trust];
  const there = plain(shownPath(trustedIn));
  if (trust === "trusted") return `trusted in ${there}`;
  return trust === "gone"
    ? `missing, you trusted it in ${there}`
    : `not what you trusted in ${there}`;
}

const GOES_ON = {
  settings: "What you trusted stays in force until you decide.",
  extension: "The copy you trusted goes on running until you decide.",
  crew: "No crew starts with it until you decide.",
} as const;

const MOST_FILES = 20;

/** The files beside the one it is called by. */
function fileLines(path: string, files: readonly string[]): string[] {
  const others = files.filter((file) => file !== path);
  const shown = others.slice(0, MOST_FILES).map((file) => `  with ${plain(shownPath(file))}`);
  const more = others.length - shown.length;
  return more > 0 ? [...shown, `  and ${more} more: seam trust --json`] : shown;
}

const MOST_LINES = 200;

export function changeLines({ path, before, after }: FileChange): string[] {
  const what = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  const head = `  ${what}: ${plain(shownPath(path))}`;
  if (before?.includes(0) || after?.includes(0)) return [`${head} (not text)`];
  const { diff } = showDiff(String(before ?? ""), String(after ?? ""));
  const lines = diff.split("\n");
  const more = lines.length - MOST_LINES;
  return [
    head,
    ...lines.slice(0, MOST_LINES).map((line) => `    ${coloured(plain(line))}`),
    ...(more > 0 ? [`    and ${more} more lines`] : []),
  ];
}

function coloured(line: string): string {
  if (line.startsWith("+")) return paint("green", line);
  return line.startsWith("-") ? paint("red", line) : line;
}

// Characters nobody sees: they steer the terminal, or turn the direction of text, so that what is
// shown would not be what runs.
const UNSEEN = /(?!\t)[\p{Cc}\p{Cf}]/gu;

export function plain(text: string): string {
  return text.replace(UNSEEN, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
