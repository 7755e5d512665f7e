import type { AgentMessage, EventMap, Goal, SkillEvent, TodoItem } from "../events/index.ts";
import type { AgentBehaviour, CurrentRun, CurrentSession, Log } from "./core.ts";
import type { Emitter } from "./emitter.ts";
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

// A model that does not listen must be let through in the end, rule or not.
const INTERRUPTIONS_PER_TURN = 5;
const RULE_MESSAGE = "rule";

/** What of the agent it has to know. */
interface Surroundings {
  readonly session: CurrentSession;
  readonly run: CurrentRun;
  readonly emitter: Emitter;
  readonly behaviour: Pick<AgentBehaviour, "maxTodoReminders">;
  readonly log: Log;
}

/** What the agent keeps beside the conversation: todos, the goal, rules that spoke up. */
export class SideState {
  readonly #agent: Surroundings;
  readonly #todos: TodoState = { todos: [] };
  #goal: Goal | null = null;
  #rules: RuleWatcher | undefined;
  #remindersLeft = 0;
  #interruptionsLeft = 0;

  constructor(agent: Surroundings) {
    this.#agent = agent;
  }

  get todos(): readonly TodoItem[] {
    return this.#todos.todos;
  }
  get goal(): Goal | null {
    return this.#goal;
  }

  /** The host's own tools that need this state. */
  tools(): HostTool[] {
    const { session, run, emitter } = this.#agent;
    const skills = skillTool(
      () => session.resources.skills,
      ({ skill, toolCallId }) => {
        const used = toolInvocation({
          agent: "seam",
          skill: skill.name,
          toolUseId: toolCallId,
          timestamp: new Date().toISOString(),
          ...(run.turnId !== undefined && { turnId: run.turnId }),
        });
        void emitter.emit(this.noteSkill(used));
      },
    );
    return [todoTool(this.#todos), skills];
  }

  /** A use of a skill is kept in the session. Returns the event that tells of it. */
  noteSkill(skillEvent: SkillEvent): EventMap["skill_invoked"] {
    this.#agent.session.tree.appendCustomEntry("skill_event", skillEvent);
    return { type: "skill_invoked", skillEvent };
  }

  /** What may happen only so often in a turn may happen again. */
  startTurn(): void {
    this.#remindersLeft = this.#agent.behaviour.maxTodoReminders;
    this.#interruptionsLeft = INTERRUPTIONS_PER_TURN;
  }

  /** Takes up what a session that is opened again had, or another branch of it. */
  restore(): void {
    const { session, log } = this.#agent;
    const branch = session.tree.getBranch();
    this.#todos.todos = restoreTodos(branch);
    this.#goal = restoreGoal(branch) ?? null;
    this.#rules = new RuleWatcher(session.resources.rules, {
      triggered: triggeredRules(session),
      onTooSlow: ({ name }) => log("warn", `The rule ${name} is too slow and was dropped.`),
    });
  }

  /** Holds at once; resolves when extensions have been told. */
  async setGoal(objective: string | null, options: { tokenBudget?: number } = {}): Promise<void> {
    const goal = objective === null ? null : newGoal(objective, options);
    await this.#agent.emitter.tell(this.#updateGoal(goal), 0);
  }

  /** Takes the goal further. Rejects if there is none, or if it is not in the state for it. */
  async changeGoal(change: GoalChange): Promise<void> {
    if (!this.#goal) throw new Error("There is no goal.");
    await this.#agent.emitter.tell(this.#updateGoal(GOAL_CHANGES[change](this.#goal)), 0);
  }

  /** Counts what a run cost towards the goal. */
  addUsage({ messages }: RunResult, seconds: number): void {
    if (this.#goal?.status !== "active") return;
    let tokens = 0;
    for (const message of messages) {
      if (message.role === "assistant") tokens += message.usage.totalTokens;
    }
    this.#agent.emitter.emit(this.#updateGoal(addUsage(this.#goal, tokens, seconds)));
  }

  /** What the goal adds to the system prompt. */
  goalText(): string | undefined {
    return this.#goal ? goalPrompt(this.#goal) : undefined;
  }

  newWatcher(): OutputWatcher | undefined {
    const rules = this.#rules;
    const { session, emitter } = this.#agent;
    if (!rules || session.resources.rules.length === 0) return undefined;
    if (this.#interruptionsLeft <= 0) return undefined;
    let triggered: WatchedRule[] = [];
    rules.startMessage();
    return {
      push: (delta, block) => {
        triggered = rules.feed(delta, block);
        if (triggered.length === 0) return false;
        this.#interruptionsLeft--;
        emitter.emit({ type: "ttsr_triggered", rules: [...triggered] });
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
  reminder(): AgentMessage[] {
    const open = openTodos(this.#todos.todos);
    if (open.length === 0 || this.#remindersLeft <= 0) return [];
    const maxAttempts = this.#agent.behaviour.maxTodoReminders;
    const attempt = maxAttempts - this.#remindersLeft + 1;
    this.#remindersLeft--;
    this.#agent.emitter.emit({ type: "todo_reminder", todos: open, attempt, maxAttempts });
    return [hidden("todo_reminder", reminderText(open, attempt, maxAttempts))];
  }

  /** Returns the event that tells of it. */
  #updateGoal(goal: Goal | null): EventMap["goal_updated"] {
    this.#goal = goal;
    this.#agent.session.tree.appendCustomEntry(GOAL_ENTRY, goal);
    const state = goal ? { state: { enabled: goal.status === "active", goal } } : {};
    return { type: "goal_updated", goal, ...state };
  }
}

/** A message for the model that no user needs to see. */
function hidden(customType: string, content: string, details?: unknown): AgentMessage {
  return { role: "custom", customType, content, display: false, details, timestamp: Date.now() };
}

/** Rules the model was told of already: the messages that told it name them. */
function triggeredRules({ tree }: CurrentSession): string[] {
  return tree.getEntries().flatMap((entry) => {
    if (entry.type !== "custom_message" || entry.customType !== RULE_MESSAGE) return [];
    const { rules } = { rules: [], ...(entry.details as object | undefined) };
    return Array.isArray(rules) ? rules.map(String) : [];
  });
}
