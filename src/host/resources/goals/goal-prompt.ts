import type { Goal } from "../../../events/index.ts";

/** What a goal adds to the context. Undefined while nobody is to work on it. */
export function goalPrompt(goal: Goal): string | undefined {
  switch (goal.status) {
    case "active":
      return `<goal>\n${goal.objective}\n</goal>\n\nThe user set this goal for the session. Keep working towards it over as many steps as it takes, and check that what you did really reaches it before you say so.${budget(goal)}`;
    case "budget-limited":
      return `<goal>\n${goal.objective}\n</goal>\n\nThe budget for this goal is used up. Begin nothing new: leave the work in a state that can be picked up, then say what is done and what is missing.`;
    default:
      return undefined;
  }
}

function budget({ tokenBudget, tokensUsed }: Goal): string {
  if (tokenBudget === undefined) return "";
  return ` ${Math.max(0, tokenBudget - tokensUsed)} of ${tokenBudget} tokens are left for it.`;
}
