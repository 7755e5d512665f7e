import type { Step } from "../../agents/index.ts";
import { printLine } from "../print.ts";
import { shownPath } from "../shown-path.ts";

type Change = "created" | "changed" | "removed" | "unchanged";

export function changeOf({ before, after }: Step): Change {
  if (before === undefined) return after === undefined ? "unchanged" : "created";
  if (after === undefined) return "removed";
  return before.equals(after) ? "unchanged" : "changed";
}

const WILL: Record<Change, string> = {
  created: "create",
  changed: "change",
  removed: "remove",
  unchanged: "leave",
};

export function printPlan(steps: readonly Step[]): void {
  for (const step of steps) {
    const change = changeOf(step);
    if (change !== "unchanged") printLine(`  ${WILL[change]}  ${shownPath(step.name)}`);
  }
}

export function stepsAsJson(steps: readonly Step[], withText = false) {
  return steps.map((step) => ({
    path: step.name,
    change: changeOf(step),
    ...(withText && { text: step.after?.toString() }),
  }));
}
