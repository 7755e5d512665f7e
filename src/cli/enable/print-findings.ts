import { homedir } from "node:os";
import type { Finding } from "../../agents/index.ts";
import { paint, printLine } from "../print.ts";

const MARKS = {
  error: () => paint("red", "✗"),
  warning: () => paint("yellow", "!"),
  info: () => paint("dim", "·"),
} as const;

/** What is wrong, and what to do about it. */
export function printFindings(findings: readonly Finding[]): void {
  for (const { level, text, next } of findings) {
    printLine(`${MARKS[level]()} ${fromHome(text)}`);
    if (next) printLine(`  ${fromHome(next)}`);
  }
}

const fromHome = (text: string) => text.replaceAll(`${homedir()}/`, "~/");

/** Without the bytes of what would be written. */
export function findingAsJson({ fix, ...finding }: Finding) {
  return { ...finding, fixable: fix !== undefined };
}
