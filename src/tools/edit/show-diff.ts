import { diffArrays } from "diff";

interface LineChange {
  kind: "same" | "removed" | "added";
  line: string;
}

/** Above this many differing lines the shortest diff is not worth its time and memory. */
const MOST_CHANGES = 600;

const CONTEXT_LINES = 4;

const SIGNS: Readonly<Record<LineChange["kind"], string>> = { same: " ", removed: "-", added: "+" };

/**
 * A diff for people and renderers: `+12 text`, `-12 text`, ` 12 text` with line numbers (of the old
 * file for removed and unchanged lines), and `...` where unchanged lines are left out.
 */
export function showDiff(
  before: string,
  after: string,
): { diff: string; firstChangedLine: number | undefined } {
  const changes = diffLines(...linesOf(before, after));
  const width = String(changes.length).length;
  const near = nearChanges(changes);
  const output: string[] = [];
  let firstChangedLine: number | undefined;
  let oldLine = 1;
  let newLine = 1;
  let skipping = false;
  changes.forEach(({ kind, line }, index) => {
    if (kind !== "same") firstChangedLine ??= newLine;
    if (near.has(index)) {
      const number = kind === "added" ? newLine : oldLine;
      output.push(`${SIGNS[kind]}${String(number).padStart(width)} ${line}`);
    } else if (!skipping) {
      output.push(` ${" ".repeat(width)} ...`);
    }
    skipping = !near.has(index);
    if (kind !== "added") oldLine++;
    if (kind !== "removed") newLine++;
  });
  return { diff: output.join("\n"), firstChangedLine };
}

function linesOf(before: string, after: string): [string[], string[]] {
  const [old, now] = [before, after].map((text) => text.replaceAll("\r\n", "\n").split("\n"));
  if (!old || !now) return [[], []];
  // A line break at the end does not start a line; it only shows when one side lacks it.
  if (old.at(-1) === "" && now.at(-1) === "") {
    old.pop();
    now.pop();
  }
  return [old, now];
}

function nearChanges(changes: readonly LineChange[]): Set<number> {
  const near = new Set<number>();
  changes.forEach(({ kind }, index) => {
    if (kind === "same") return;
    for (let at = index - CONTEXT_LINES; at <= index + CONTEXT_LINES; at++) near.add(at);
  });
  return near;
}

/**
 * The shortest way from one list of lines to the other; too long a one is a replacement. What both
 * begin and end with is not compared again: most edits change a few lines of a long file.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    ...as("same", before.slice(0, head)),
    ...shortestDiff(
      before.slice(head, before.length - tail),
      after.slice(head, after.length - tail),
    ),
    ...as("same", before.slice(before.length - tail)),
  ];
}

function shortestDiff(before: string[], after: string[]): LineChange[] {
  const parts = diffArrays(before, after, { maxEditLength: MOST_CHANGES });
  if (!parts) return [...as("removed", before), ...as("added", after)];
  return parts.flatMap(({ value, added, removed }) =>
    as(added ? "added" : removed ? "removed" : "same", value),
  );
}

function as(kind: LineChange["kind"], lines: readonly string[]): LineChange[] {
  return lines.map((line) => ({ kind, line }));
}
