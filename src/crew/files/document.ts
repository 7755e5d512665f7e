import { type Field, readFields } from "./fields.ts";
import { Keys } from "./keys.ts";
import type { FileSource } from "./origin.ts";
import { WorkflowProblems } from "./problem.ts";

/** A Markdown file with a head: what pi-crew and Claude Code write their agents and workflows in. */
export interface Document {
  readonly fields: readonly Field[];
  /** The lines after the head, and the number of the first of them. */
  readonly body: readonly string[];
  readonly bodyLine: number;
}

/** A file without a head has no fields; everything in it is its body. */
export function readDocument(text: string, problems: WorkflowProblems): Document {
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

/** Hints of pi-crew for choosing an agent, a team or a workflow, which nobody chooses here. */
export const ROUTING_KEYS = ["triggers", "trigger", "useWhen", "avoidWhen", "cost", "category"];

/** A file with its head read and its keys judged: strictly in a file of Seam's own format. */
export function openDocument(
  source: FileSource,
  known: readonly string[],
  withoutEffect: readonly string[],
): { readonly keys: Keys; readonly problems: WorkflowProblems } & Omit<Document, "fields"> {
  const problems = new WorkflowProblems(source.path);
  const { fields, ...rest } = readDocument(source.text, problems);
  const keys = new Keys(fields, 1, problems);
  const isStrict = source.format === "seam";
  keys.judge({ known, withoutEffect: [...withoutEffect, ...ROUTING_KEYS], isStrict });
  return { keys, problems, ...rest };
}

const isFence = (line: string | undefined) => line?.trimEnd() === "---";
