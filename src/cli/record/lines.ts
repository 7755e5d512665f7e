import { visibleWidth, wrapTextWithAnsi } from "../../terminal/index.ts";
import { lineWidth } from "../print.ts";

/** Parts in as few lines as the terminal allows: an id is never cut in two. */
export function flow(parts: readonly string[], separator: string, indent = ""): string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of parts.filter((one) => one !== "")) {
    const longer = line === "" ? part : line + separator + part;
    const space = lineWidth() - (lines.length === 0 ? 0 : indent.length);
    if (line !== "" && process.stdout.isTTY && visibleWidth(longer) > space) {
      lines.push(lines.length === 0 ? line : indent + line);
      line = part;
    } else line = longer;
  }
  return [...lines, lines.length === 0 ? line : indent + line];
}

/** Lines below an indent, wrapped where a terminal would break them. */
export function indented(lines: readonly string[], indent: string): string[] {
  const wrapped = process.stdout.isTTY
    ? lines.flatMap((line) => wrapTextWithAnsi(line, lineWidth() - indent.length))
    : lines;
  return wrapped.map((line) => indent + line);
}

/**
 * A line in as many as the terminal needs; those below the first stand further in. A single word,
 * such as an address, stays whole, so that it can be copied.
 */
export function hanging(line: string): string[] {
  if (!process.stdout.isTTY || visibleWidth(line) <= lineWidth()) return [line];
  if (!/\S\s+\S/.test(line)) return [line];
  const indent = " ".repeat(line.length - line.trimStart().length);
  const parts = wrapTextWithAnsi(line.trimStart(), lineWidth() - indent.length - HANG.length);
  return parts.map((part, at) => indent + (at === 0 ? "" : HANG) + part);
}

const HANG = "  ";
