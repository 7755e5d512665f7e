import { randomUUID } from "node:crypto";
import type { Goal } from "../../../events/index.ts";

/**
 * A goal and what can happen to it. Nothing here is changed in place: each function returns the
 * goal as it is afterwards, and the caller keeps it in the session.
 *
 *   active ⇄ paused          pause, resume
 *   active → budget-limited  the budget is used up; resume with a larger one
 *   any of these → complete, dropped
 */

export interface NewGoalOptions {
  tokenBudget?: number;
  id?: string;
  now?: number;
}

type Status = Goal["status"];

const OPEN: readonly Status[] = ["active", "paused", "budget-limited"];

export function newGoal(objective: string, options: NewGoalOptions = {}): Goal {
  const { tokenBudget, id = randomUUID(), now = Date.now() } = options;
  if (objective.trim() === "") throw new Error("A goal needs an objective.");
  checkBudget(tokenBudget);
  return {
    id,
    objective: objective.trim(),
    status: "active",
    ...(tokenBudget !== undefined && { tokenBudget }),
    tokensUsed: 0,
    timeUsedSeconds: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/** Counts work on the goal. What is done while it is paused or over is not work on it. */
export function addUsage(goal: Goal, tokens: number, seconds: number, now = Date.now()): Goal {
  if (goal.status !== "active" && goal.status !== "budget-limited") return goal;
  const counted = {
    ...goal,
    tokensUsed: goal.tokensUsed + Math.max(0, tokens),
    timeUsedSeconds: goal.timeUsedSeconds + Math.max(0, seconds),
    updatedAt: now,
  };
  return { ...counted, status: isUsedUp(counted) ? "budget-limited" : "active" };
}

export function pauseGoal(goal: Goal, now = Date.now()): Goal {
  return change(goal, "paused", ["active"], now);
}

/** Goes on with a goal, if need be with a new budget. */
export function resumeGoal(
  goal: Goal,
  { tokenBudget, now = Date.now() }: { tokenBudget?: number; now?: number } = {},
): Goal {
  checkBudget(tokenBudget);
  const next = tokenBudget === undefined ? goal : { ...goal, tokenBudget };
  if (isUsedUp(next)) {
    throw new Error(`The goal's budget of ${next.tokenBudget} tokens is used up. Raise it first.`);
  }
  return change(next, "active", ["paused", "budget-limited"], now);
}

export function completeGoal(goal: Goal, now = Date.now()): Goal {
  return change(goal, "complete", OPEN, now);
}

export function dropGoal(goal: Goal, now = Date.now()): Goal {
  return change(goal, "dropped", OPEN, now);
}

function change(goal: Goal, status: Status, from: readonly Status[], now: number): Goal {
  if (!from.includes(goal.status)) {
    throw new Error(`A goal that is ${goal.status} cannot become ${status}.`);
  }
  return { ...goal, status, updatedAt: now };
}

function isUsedUp({ tokenBudget, tokensUsed }: Goal): boolean {
  return tokenBudget !== undefined && tokensUsed >= tokenBudget;
}

function checkBudget(tokenBudget: number | undefined): void {
  if (tokenBudget === undefined || tokenBudget > 0) return;
  throw new Error("A goal's token budget must be more than 0.");
}
