import { safeText, type Theme } from "../../terminal/index.ts";

/** A diff with its colours. Added and removed lines keep their sign, so colour is never alone. */
export function diffLines(diff: string, theme: Theme): string[] {
  return safeText(diff)
    .split("\n")
    .map((line) => {
      if (line.startsWith("+")) return theme.fg("toolDiffAdded", line);
      if (line.startsWith("-")) return theme.fg("toolDiffRemoved", line);
      return theme.fg("toolDiffContext", line);
    });
}

/** "+3 −1": how many lines a diff adds and removes. */
export function diffCount(diff: string): string {
  const lines = diff.split("\n");
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  return `+${added} −${removed}`;
}
