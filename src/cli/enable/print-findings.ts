import { homedir } from "node:os";
import type { Finding } from "../../agents/index.ts";
import { paint, printLine } from "../print.ts";
import { indented } from "../record/lines.ts";

const MARKS = {
  error: () => paint("red", "✗"),
  warning: () => paint("yellow", "!"),
  info: () => paint("dim", "·"),
} as const;

/** What is wrong, and what to do about it. */
export function printFindings(findings: readonly Finding[]): void {
  for (const { level, text, next } of findings) {
    const [first = "", ...others] = indented([fromHome(text)], "  ");
    printLine(`${MARKS[level]()} ${first.slice(2)}`);
    for (const line of [...others, ...(next ? indented([fromHome(next)], "  ") : [])])
      printLine(line);
  }
}

const fromHome = (text: string) => text.replaceAll(`${homedir()}/`, "~/");

/** Without the bytes of what would be written. */
export function findingAsJson({ fix, ...finding }: Finding) {
  return { ...finding, fixable: fix !== undefined };
}
