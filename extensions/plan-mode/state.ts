import type { SessionEntry } from "agentseam";
import type { Step } from "./steps.ts";

export interface PlanState {
  readonly mode: "off" | "planning" | "executing";
  readonly steps: readonly Step[];
  /** The tools that were active before planning began. */
  readonly tools: readonly string[];
}

export const newState = (): PlanState => ({ mode: "off", steps: [], tools: [] });

/** The state as the session knows it where it stands. */
export function savedState(branch: readonly SessionEntry[]): PlanState {
  const entry = branch.findLast(
    (one) => one.type === "custom" && one.customType === "plan-mode" && isState(one.data),
  );
  return entry?.type === "custom" && isState(entry.data) ? entry.data : newState();
}

function isState(data: unknown): data is PlanState {
  if (typeof data !== "object" || data === null) return false;
  const { mode, steps, tools } = data as Partial<Record<keyof PlanState, unknown>>;
  return typeof mode === "string" && Array.isArray(steps) && Array.isArray(tools);
}
