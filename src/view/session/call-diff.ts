import { structuredPatch } from "diff";
import { isRecord } from "../../values/index.ts";
import type { PatchHunk } from "./blocks.ts";

/** Comparing texts that are larger takes longer than anybody reads. */
const MOST_COMPARED = 400_000;
const CONTEXT = 3;

/** What agents call the two sides of a replacement. */
const SIDES = [
  ["old_string", "new_string"],
  ["oldText", "newText"],
  ["oldString", "newString"],
  ["old_str", "new_str"],
] as const;
const CONTENT = ["content", "file_text", "contents"] as const;
const PATCH = ["patch", "patch_text", "patchText", "input", "command", "cmd"] as const;

/** What a call of write or edit changes, as a unified diff; undefined if its input does not say. */
export function callDiff(
  tool: string,
  input: unknown,
  files: readonly string[] = [],
  done?: readonly PatchHunk[],
): string | undefined {
  const [path = "file"] = files;
  if (done) return written(path, path, done);
  const patch = patchIn(input);
  if (patch !== undefined) return fromPatch(patch);
  if (!isRecord(input)) return undefined;
  const edits = Array.isArray(input.edits) ? input.edits.filter(isRecord) : [input];
  const hunks = edits.flatMap((edit) => replaced(edit));
  if (hunks.length > 0) return written(path, path, hunks);
  if (tool !== "write") return undefined;
  const content = CONTENT.map((key) => input[key]).find((value) => typeof value === "string");
  return typeof content === "string"
    ? written("/dev/null", path, compared("", content))
    : undefined;
}

/** How many lines a diff adds and removes. */
export function countLines(diff: string): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0];
  for (const line of diff.split("\n")) {
    if (line.startsWith("+") && !line.startsWith("+++ ")) added++;
    else if (line.startsWith("-") && !line.startsWith("--- ")) removed++;
  }
  return { added, removed };
}

function replaced(edit: Readonly<Record<string, unknown>>): readonly PatchHunk[] {
  for (const [before, after] of SIDES) {
    const [old, now] = [edit[before], edit[after]];
    if (typeof old === "string" && typeof now === "string") return compared(old, now);
  }
  return [];
}

function compared(before: string, after: string): readonly PatchHunk[] {
  if (before.length + after.length > MOST_COMPARED) return [];
  return structuredPatch("", "", before, after, "", "", { context: CONTEXT }).hunks;
}

function written(old: string, now: string, hunks: readonly PatchHunk[]): string | undefined {
  if (hunks.length === 0) return undefined;
  const named = (side: string, path: string) =>
    path === "/dev/null" ? path : `${side}${path.startsWith("/") ? "" : "/"}${path}`;
  const lines = [`--- ${named("a", old)}`, `+++ ${named("b", now)}`];
  for (const { oldStart, oldLines, newStart, newLines, lines: said } of hunks) {
    // A side without lines is named by the line before it.
    const from = oldLines === 0 ? oldStart - 1 : oldStart;
    const to = newLines === 0 ? newStart - 1 : newStart;
    lines.push(`@@ -${from},${oldLines} +${to},${newLines} @@`, ...said);
  }
  return lines.join("\n");
}

const BEGIN = "*** Begin Patch";

function patchIn(input: unknown): string | undefined {
  if (typeof input === "string") return input.includes(BEGIN) ? input : undefined;
  if (!isRecord(input)) return undefined;
  for (const key of PATCH) {
    const value = input[key];
    const text = Array.isArray(value) ? value.find((one) => String(one).includes(BEGIN)) : value;
    if (typeof text === "string" && text.includes(BEGIN)) return text;
  }
  return undefined;
}

/** Codex's form of a patch says which lines change, but not where: numbers start anew in each hunk. */
function fromPatch(patch: string): string | undefined {
  const lines: string[] = [];
  let hunk: string[] = [];
  const close = () => {
    if (hunk.length === 0) return;
    const old = hunk.filter((line) => !line.startsWith("+")).length;
    const now = hunk.filter((line) => !line.startsWith("-")).length;
    lines.push(`@@ -${old === 0 ? 0 : 1},${old} +${now === 0 ? 0 : 1},${now} @@`, ...hunk);
    hunk = [];
  };
  for (const line of patch.slice(patch.indexOf(BEGIN)).split("\n")) {
    const [, act, path] = /^\*\*\* (Add|Update|Delete) File: (.*)$/.exec(line) ?? [];
    if (act !== undefined) {
      close();
      lines.push(act === "Add" ? "--- /dev/null" : `--- a/${path}`);
      lines.push(act === "Delete" ? "+++ /dev/null" : `+++ b/${path}`);
    } else if (line.startsWith("*** End Patch")) {
      break;
    } else if (line.startsWith("@@")) {
      close();
    } else if (/^[ +-]/.test(line)) {
      hunk.push(line);
    }
  }
  close();
  return lines.length > 0 ? lines.join("\n") : undefined;
}
