import { resolve } from "node:path";
import type { ToolReading } from "../../agents/index.ts";
import type { Decision } from "../../dispatch/index.ts";
import { readRegularText } from "../../files/index.ts";
import { showDiff } from "../../tools/index.ts";
import { isRecord } from "../../values/index.ts";
import type { QuestionedCall } from "./question.ts";

/** Files and changes beyond this are not compared: it would hold the thread that answers hooks. */
const LARGEST = 200_000;

/**
 * A tool call as people are asked about it: as it would run, with what it would change. One call may
 * touch several files; then the changes of all are shown.
 */
export function questionedCall(
  tools: readonly ToolReading[],
  inputs: Decision["inputs"],
  cwd = "/",
): QuestionedCall | undefined {
  const [first] = tools;
  if (!first) return undefined;
  const inputOf = (index: number) =>
    inputs.find((changed) => changed.index === index)?.input ?? tools[index]?.input ?? {};
  const diffs = tools.flatMap(({ name }, index) => changeOf(name, inputOf(index), cwd) ?? []);
  return {
    tool: first.name,
    // A call that touches several files has no single path, so that nobody agrees to one and allows
    // all.
    input: tools.length > 1 ? { ...first.nativeInput, paths: tools.map(pathOf) } : inputOf(0),
    ...(diffs.length > 0 && { diff: diffs.join("\n") }),
  };
}

function pathOf({ input, name }: ToolReading): string {
  return typeof input.path === "string" ? input.path : name;
}

/** What a call does to one file, in full, or a line that says that it is too much to show. */
function changeOf(
  name: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
): string | undefined {
  const { path, content, edits, change } = input;
  if (typeof path !== "string") return undefined;
  const pairs = Array.isArray(edits) ? edits.flatMap((edit) => pairOf(edit) ?? []) : [];
  if (typeof content === "string") {
    pairs.push({ before: textAt(resolve(cwd, path)), after: content });
  }
  if (pairs.length === 0) return `${typeof change === "string" ? change : name} ${path}`;
  const shown = pairs.map(({ before, after }) => {
    const size = before.length + after.length;
    if (size <= LARGEST) return showDiff(before, after).diff;
    return `(a change of ${size} characters, too much to be shown here)`;
  });
  return `--- ${path}\n+++ ${path}\n${shown.join("\n")}`;
}

function pairOf(edit: unknown): { before: string; after: string } | undefined {
  if (!isRecord(edit)) return undefined;
  const { oldText, newText } = edit;
  return typeof oldText === "string" && typeof newText === "string"
    ? { before: oldText, after: newText }
    : undefined;
}

/** The content that would be overwritten; "" if there is none, or none that can be compared. */
function textAt(path: string): string {
  try {
    return readRegularText(path, LARGEST);
  } catch {
    return "";
  }
}
