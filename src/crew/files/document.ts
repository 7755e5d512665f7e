import { type Field, readFields } from "./fields.ts";
import type { Problems } from "./problem.ts";

/** A Markdown file with a head: what pi-crew and Claude Code write their agents and workflows in. */
export interface Document {
  readonly fields: readonly Field[];
  /** The lines after the head, and the number of the first of them. */
  readonly body: readonly string[];
  readonly bodyLine: number;
}

/** A file without a head has no fields; everything in it is its body. */
export function readDocument(text: string, problems: Problems): Document {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  if (!isFence(lines[0])) return { fields: [], body: lines, bodyLine: 1 };
  const end = lines.findIndex((line, at) => at > 0 && isFence(line));
  if (end < 0) {
    problems.error(1, 'The head is not closed: a line with "---" is missing.');
    return { fields: [], body: lines.slice(1), bodyLine: 2 };
  }
  const { fields, faults } = readFields(lines.slice(1, end), 2, "end");
  for (const fault of faults) problems.error(fault.line, fault.text);
  return { fields, body: lines.slice(end + 1), bodyLine: end + 2 };
}

const isFence = (line: string | undefined) => line?.trimEnd() === "---";
