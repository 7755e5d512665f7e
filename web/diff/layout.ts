import { diffWordsWithSpace } from "diff";
import type { DiffLine } from "./parse-diff.ts";

/** A piece of a line; the changed ones are what a line has that its counterpart has not. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A line with the words that changed in it, where it has a counterpart. */
export interface LaidLine extends DiffLine {
  readonly pieces: readonly Piece[];
}

/** One row of the split view: what was on the left, what is on the right. */
export interface SplitRow {
  readonly left?: LaidLine;
  readonly right?: LaidLine;
}

/** Longer lines are not compared word by word: minified files would stop the page. */
const MAX_COMPARED = 500;
/** When less of a line stays than this, marking words says nothing. */
const LEAST_ALIKE = 0.35;

/** Lines in the order of a unified diff, with changed words marked in pairs of removed and added. */
export function unified(lines: readonly DiffLine[]): LaidLine[] {
  const laid = new Map<DiffLine, LaidLine>();
  for (const [before, after] of counterparts(lines)) {
    if (!before || !after) continue;
    const [left, right] = compared(before, after);
    laid.set(before, left);
    laid.set(after, right);
  }
  return lines.map((line) => laid.get(line) ?? whole(line));
}

/** The same lines side by side. */
export function split(lines: readonly DiffLine[]): SplitRow[] {
  return counterparts(lines).map(([before, after]) => {
    if (before && before === after) return { left: whole(before), right: whole(before) };
    if (before && after) {
      const [left, right] = compared(before, after);
      return { left, right };
    }
    return {
      ...(before ? { left: whole(before) } : {}),
      ...(after ? { right: whole(after) } : {}),
    };
  });
}

/** The first removed line of a block goes with the first added one, and so on. */
function counterparts(lines: readonly DiffLine[]): [DiffLine | undefined, DiffLine | undefined][] {
  const rows: [DiffLine | undefined, DiffLine | undefined][] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      rows.push([removed[at], added[at]]);
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "del") {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === "add") added.push(line);
    else if (line.kind === "same") {
      flush();
      rows.push([line, line]);
    }
  }
  flush();
  return rows;
}

function compared(before: DiffLine, after: DiffLine): [LaidLine, LaidLine] {
  if (before.text.length > MAX_COMPARED || after.text.length > MAX_COMPARED) {
    return [whole(before), whole(after)];
  }
  const parts = diffWordsWithSpace(before.text, after.text);
  const alike = parts.filter((part) => !part.added && !part.removed).map((part) => part.value);
  const length = Math.max(before.text.trim().length, after.text.trim().length, 1);
  if (alike.join("").trim().length / length < LEAST_ALIKE) return [whole(before), whole(after)];
  const pieces = (without: "added" | "removed", changed: "added" | "removed") =>
    parts
      .filter((part) => !part[without])
      .map((part) => ({ text: part.value, isChanged: part[changed] === true }));
  return [
    { ...before, pieces: pieces("added", "removed") },
    { ...after, pieces: pieces("removed", "added") },
  ];
}

function whole(line: DiffLine): LaidLine {
  return { ...line, pieces: [{ text: line.text, isChanged: false }] };
}
