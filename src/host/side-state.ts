import type { AgentMessage, EventMap, Goal, SkillEvent, TodoItem } from "../events/index.ts";
import { autoCompact, tokensInContext } from "./compact.ts";
import type { Core } from "./core.ts";
import type { RunResult } from "./loop/run-agent.ts";
import type { OutputWatcher } from "./loop/run-context.ts";
import {
  addUsage,
  completeGoal,
  dropGoal,
  GOAL_ENTRY,
  goalPrompt,
  newGoal,
  openTodos,
  pauseGoal,
  RuleWatcher,
  reminderText,
  restoreGoal,
  restoreTodos,
  resumeGoal,
  ruleMessage,
  skillTool,
  type TodoState,
  todoTool,
  toolInvocation,
  type WatchedRule,
} from "./resources/index.ts";
import type { HostTool } from "./tools/tool-table.ts";

const GOAL_CHANGES = {
  pause: (goal: Goal) => pauseGoal(goal),
  resume: (goal: Goal) => resumeGoal(goal),
  complete: (goal: Goal) => completeGoal(goal),
  drop: (goal: Goal) => dropGoal(goal),
};
export type GoalChange = keyof typeof GOAL_CHANGES;

// Below this a compaction while idle is not worth the model call.
const IDLE_FRACTION = 0.5;
// A model that does not listen must be let through in the end, rule or not.
const INTERRUPTIONS_PER_TURN = 5;
const RULE_MESSAGE = "rule";

/** What the agent keeps beside the conversation: todos, the goal, rules that spoke up. */
export class SideState {
  readonly #todos: TodoState = { todos: [] };
  #goal: Goal | null = null;
  #rules: RuleWatcher | undefined;
  #idle: NodeJS.Timeout | undefined;
  #remindersLeft = 0;
  #interruptionsLeft = 0;
  lastError: unknown;

  get todos(): readonly TodoItem[] {
    return this.#todos.todos;
  }
  get goal(): Goal | null {
    return this.#goal;
  }

  /** The host's own tools that need this state. */
  tools(core: () => Core, noteSkill: (skill: SkillEvent) => void): HostTool[] {
    const skills = skillTool(
      () => core().resources.skills,
      ({ skill, toolCallId }) =>
        noteSkill(
          toolInvocation({
            agent: "seam",
            skill: skill.name,
            toolUseId: toolCallId,
            timestamp: new Date().toISOString(),
            ...turnOf(core()),
          }),
        ),
    );
    return [todoTool(this.#todos), skills];
  }

  /** What may happen only so often in a turn may happen again. */
  startTurn(core: Core): void {
    this.#remindersLeft = core.behaviour.maxTodoReminders;
    this.#interruptionsLeft = INTERRUPTIONS_PER_TURN;
  }

  /** Takes up what a session that is opened again had, or another branch of it. */
  restore(core: Core): void {
    const branch = core.session.getBranch();
    this.#todos.todos = restoreTodos(branch);
    this.#goal = restoreGoal(branch) ?? null;
    this.#rules = new RuleWatcher(core.resources.rules, {
      triggered: triggeredRules(core),
      onTooSlow: ({ name }) => core.log("warn", `The rule ${name} is too slow and was dropped.`),
    });
  }

  /** Holds at once; resolves when extensions have been told. */
  async setGoal(
    core: Core,
    objective: string | null,
    options: { tokenBudget?: number } = {},
  ): Promise<void> {
    const goal = objective === null ? null : newGoal(objective, options);
    await core.emitter.tell(this.#updateGoal(core, goal), 0);
  }

  /** Takes the goal further. Rejects if there is none, or if it is not in the state for it. */
  async changeGoal(core: Core, change: GoalChange): Promise<void> {
    if (!this.#goal) throw new Error("There is no goal.");
    await core.emitter.tell(this.#updateGoal(core, GOAL_CHANGES[change](this.#goal)), 0);
  }

  /** Counts what a run cost towards the goal. */
  addUsage(core: Core, { messages }: RunResult, seconds: number): void {
    if (this.#goal?.status !== "active") return;
    let tokens = 0;
    for (const message of messages) {
      if (message.role === "assistant") tokens += message.usage.totalTokens;
    }
    core.emitter.emit(this.#updateGoal(core, addUsage(this.#goal, tokens, seconds)));
  }

  /** What the goal adds to the system prompt. */
  goalText(): string | undefined {
    return this.#goal ? goalPrompt(this.#goal) : undefined;
  }

  newWatcher(core: Core): OutputWatcher | undefined {
    const rules = this.#rules;
    if (!rules || core.resources.rules.length === 0) return undefined;
    if (this.#interruptionsLeft <= 0) return undefined;
    let triggered: WatchedRule[] = [];
    rules.startMessage();
    return {
      push: (delta, block) => {
        triggered = rules.feed(delta, block);
        if (triggered.length === 0) return false;
        this.#interruptionsLeft--;
        core.emitter.emit({ type: "ttsr_triggered", rules: [...triggered] });
        return true;
      },
      verdict: () => {
        if (triggered.length === 0) return undefined;
        const rules = triggered.map(({ name }) => name);
        return hidden(RULE_MESSAGE, ruleMessage(triggered), { rules });
      },
    };
  }

  /** Something to say to an agent that stops with open todos, as long as that may help. */
  reminder(core: Core): AgentMessage[] {
    const open = openTodos(this.#todos.todos);
    if (open.length === 0 || this.#remindersLeft <= 0) return [];
    const maxAttempts = core.behaviour.maxTodoReminders;
    const attempt = maxAttempts - this.#remindersLeft + 1;
    this.#remindersLeft--;
    core.emitter.emit({ type: "todo_reminder", todos: open, attempt, maxAttempts });
    return [hidden("todo_reminder", reminderText(open, attempt, maxAttempts))];
  }

  startIdleTimer(core: Core): void {
    const { idleMs, enabled } = core.behaviour.compaction;
    this.stopIdleTimer();
    if (!enabled || idleMs <= 0) return;
    this.#idle = setTimeout(() => {
      const window = core.model?.contextWindow ?? 0;
      if (core.running || core.changes.underWay) return;
      if (tokensInContext(core) < window * IDLE_FRACTION) return;
      void autoCompact(core, "idle", false);
    }, idleMs);
    this.#idle.unref();
  }

  stopIdleTimer(): void {
    clearTimeout(this.#idle);
  }

  stop(): void {
    this.stopIdleTimer();
  }

  /** Returns the event that tells of it. */
  #updateGoal(core: Core, goal: Goal | null): EventMap["goal_updated"] {
    this.#goal = goal;
    core.session.appendCustomEntry(GOAL_ENTRY, goal);
    const state = goal ? { state: { enabled: goal.status === "active", goal } } : {};
    return { type: "goal_updated", goal, ...state };
  }
}

function turnOf({ turnId }: Core) {
  return turnId === undefined ? {} : { turnId };
}

/** A message for the model that no user needs to see. */
function hidden(customType: string, content: string, details?: unknown): AgentMessage {
  return { role: "custom", customType, content, display: false, details, timestamp: Date.now() };
}

/** Rules the model was told of already: the messages that told it name them. */
function triggeredRules({ session }: Core): string[] {
  return session.getEntries().flatMap((entry) => {
    if (entry.type !== "custom_message" || entry.customType !== RULE_MESSAGE) return [];
    const { rules } = { rules: [], ...(entry.details as object | undefined) };
    return Array.isArray(rules) ? rules.map(String) : [];
  });
}
