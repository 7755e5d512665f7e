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

export interface GoalModeState {
  enabled: boolean;
  goal: Goal;
}

export interface TodoItem {
  content: string;
  status: "pending" | "in_progress" | "completed" | "abandoned";
  id?: string;
  details?: string;
}
