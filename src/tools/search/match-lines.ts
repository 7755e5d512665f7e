import { shownPath } from "../shown-path.ts";
import { truncateLine } from "../truncate.ts";
import type { LineMatch } from "./line-search.ts";

/**
 * Matches as grep prints them: `path:12: text`, lines around them as `path-11- text`, and `--`
 * between places that do not touch. A line near two matches is printed once.
 */
export async function matchLines(
  matches: readonly LineMatch[],
  context: number,
  linesOf: (path: string) => Promise<string[]>,
): Promise<{ lines: string[]; cutLines: boolean }> {
  const lines: string[] = [];
  let cutLines = false;
  const print = (path: string, line: number, text: string, sign: ":" | "-") => {
    const cut = truncateLine(text);
    cutLines ||= cut.wasTruncated;
    lines.push(`${shownPath(path)}${sign}${line}${sign} ${cut.text}`);
  };
  for (const [path, inFile] of byPath(matches)) {
    const texts = context > 0 ? await linesOf(path) : [];
    let previous = -1;
    for (const line of linesAround([...inFile.keys()], context, texts.length)) {
      if (context > 0 && line !== previous + 1 && lines.length > 0) lines.push("--");
      const matched = inFile.get(line);
      print(path, line, matched ?? texts[line - 1] ?? "", matched === undefined ? "-" : ":");
      previous = line;
    }
  }
  return { lines, cutLines };
}

function byPath(matches: readonly LineMatch[]): Map<string, Map<number, string>> {
  const files = new Map<string, Map<number, string>>();
  for (const { path, line, text } of matches) {
    const inFile = files.get(path) ?? new Map<number, string>();
    files.set(path, inFile.set(line, text));
  }
  return files;
}

function linesAround(matched: readonly number[], context: number, lastLine: number): number[] {
  const around = new Set<number>(matched);
  for (const line of matched) {
    const end = Math.min(lastLine, line + context);
    for (let at = Math.max(1, line - context); at <= end; at++) around.add(at);
  }
  return [...around].sort((a, b) => a - b);
}
