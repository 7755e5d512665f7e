import { diffLines, type LineChange } from "./line-diff.ts";

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
