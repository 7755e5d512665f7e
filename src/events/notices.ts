/** What the events about rules, goals and todos carry. */

/** A rule that watches the model's output. */
export interface Rule {
  name: string;
  path?: string;
  content: string;
  description?: string;
  globs?: string[];
  /** Pattern in the output that triggers the rule. */
  condition?: string | string[];
}

/** What a session is to achieve, and what it has cost so far. */
export interface Goal {
  id: string;
  objective: string;
  status: "active" | "paused" | "complete" | "dropped" | "budget-limited";
  tokenBudget?: number;
  tokensUsed: number;
  timeUsedSeconds: number;
  createdAt: number;
  updatedAt: number;
}

/** The goal, and whether the agent works towards it now. */
export interface GoalModeState {
  enabled: boolean;
  goal: Goal;
}

/** One item of the list of work that the model keeps. */
export interface TodoItem {
  content: string;
  status: "pending" | "in_progress" | "completed" | "abandoned";
  id?: string;
  details?: string;
}
