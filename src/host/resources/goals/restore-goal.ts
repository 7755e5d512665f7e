import { Type } from "typebox";
import { type Goal, mismatch, type SessionEntry } from "../../../events/index.ts";

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
