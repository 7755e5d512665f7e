import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { defaultTheme, truncateToWidth, wrapTextWithAnsi } from "../../../terminal/index.ts";
import { showDiff } from "../../../tools/index.ts";

/** The changes with line numbers, as the edit tool shows them. */
export function generateDiffString(before: string, after: string) {
  return before === after ? { diff: "" } : showDiff(before, after);
}

/** The changes as `patch` and `git apply` understand them. */
export function generateUnifiedPatch(
  path: string,
  before: string,
  after: string,
  context = 4,
): string {
  const options = { context, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, options);
}

const COLORS = { "+": "toolDiffAdded", "-": "toolDiffRemoved" } as const;

/** A diff of the edit tool in colour. */
export function renderDiff(diff: string): string {
  const theme = defaultTheme();
  const coloured = diff.split("\n").map((line) => {
    const sign = line[0];
    return theme.fg(sign === "+" || sign === "-" ? COLORS[sign] : "toolDiffContext", line);
  });
  return coloured.join("\n");
}

/** The first or last lines of a text as they look on a screen of a width, and how many are left out. */
export function truncateToVisualLines(
  text: string,
  most: number,
  width: number,
  paddingX = 0,
  keep: "start" | "end" = "end",
): { visualLines: string[]; skippedCount: number } {
  if (text === "") return { visualLines: [], skippedCount: 0 };
  const pad = " ".repeat(paddingX);
  const all = wrapTextWithAnsi(text, Math.max(1, width - 2 * paddingX)).map(
    (line) => pad + truncateToWidth(line, Math.max(1, width - 2 * paddingX), "", true) + pad,
  );
  const skippedCount = Math.max(0, all.length - most);
  const visualLines = keep === "end" ? all.slice(skippedCount) : all.slice(0, most);
  return { visualLines, skippedCount };
}

/** Which lines `read` was asked for: ":5-14", ":5-" or nothing. */
export function formatReadLineRange(offset: unknown, limit: unknown): string {
  if (typeof offset !== "number" && typeof limit !== "number") return "";
  const from = typeof offset === "number" ? offset : 1;
  return typeof limit === "number" ? `:${from}-${from + limit - 1}` : `:${from}`;
}
