import type { Entry } from "../../src/view/api.ts";

const LINE = 21;
const CHARACTERS = 78;

const ONE_LINE = 27;

/** About how high an entry will be, until it has been measured. */
export function estimate(entry: Entry | undefined): number {
  if (!entry) return ONE_LINE;
  try {
    return guess(entry);
  } catch {
    // An entry of a kind that nobody knows yet says of itself that it cannot be shown.
    return ONE_LINE;
  }
}

function guess(entry: Entry): number {
  if (entry.skill?.collapse?.default_collapsed) return 34;
  switch (entry.kind) {
    case "prompt":
      return 68 + LINE * Math.min(12, lines(entry.body.text));
    case "answer":
      return 18 + LINE * lines(entry.body.text);
    case "call":
      return entry.call.stop ? 64 : ONE_LINE;
    default:
      return ONE_LINE;
  }
}

function lines(text: string): number {
  return text.split("\n").reduce((sum, line) => sum + 1 + Math.floor(line.length / CHARACTERS), 0);
}
