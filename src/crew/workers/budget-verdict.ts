import type { AttemptEnd, Use } from "../model/run.ts";
import type { Budget } from "../model/workflow.ts";

const WORDS: Readonly<Record<keyof Budget, string>> = {
  dollars: "dollars",
  tokens: "tokens",
  minutes: "minutes",
  turns: "model calls",
};

/** Why an attempt has used up what it was given; undefined: there is something left. */
export function overBudget(use: Use, budget: Budget): AttemptEnd | undefined {
  for (const [name, words] of Object.entries(WORDS) as [keyof Budget, string][]) {
    const limit = budget[name];
    const used = use[name];
    if (limit === undefined || used === undefined || used <= limit) continue;
    const reason = `It has used ${rounded(used)} of ${limit} ${words}.`;
    return { kind: "over-budget", reason };
  }
  return undefined;
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
