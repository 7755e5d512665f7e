import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import type { Goal } from "../../../events/index.ts";
import { mismatch, type SessionEntry } from "../../../events/index.ts";

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

/** The custom entries a goal is kept in: each holds the goal as it was then, or null for none. */
export const GOAL_ENTRY = "goal";

const STATUSES: readonly Goal["status"][] = [
  "active",
  "paused",
  "complete",
  "dropped",
  "budget-limited",
];

const GoalSchema = Type.Object({
  id: Type.String(),
  objective: Type.String(),
  status: Type.Unsafe<Goal["status"]>({ type: "string", enum: STATUSES }),
  tokenBudget: Type.Optional(Type.Number()),
  tokensUsed: Type.Number(),
  timeUsedSeconds: Type.Number(),
  createdAt: Type.Number(),
  updatedAt: Type.Number(),
});

/** The goal as the branch left it. Entries of the same name with other data are not goals. */
export function restoreGoal(entries: readonly SessionEntry[]): Goal | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.type !== "custom" || entry.customType !== GOAL_ENTRY) continue;
    if (entry.data === null) return undefined;
    if (isGoal(entry.data)) return entry.data;
  }
  return undefined;
}

function isGoal(data: unknown): data is Goal {
  return mismatch(GoalSchema, data) === undefined;
}
