import type { AgentName } from "../../agents/index.ts";
import type { AgentChoice, Budget, Workflow } from "./workflow.ts";

export type RunState = "running" | "waiting" | "done" | "failed" | "cancelled";

/** `waiting`: for a person, a limit that ends, or a place that is free; `reason` says for what. */
export type TaskState =
  | "queued"
  | "waiting"
  | "running"
  | "proving"
  | "merging"
  | "done"
  | "failed"
  | "skipped"
  | "cancelled";

/** What was used, as far as it is known. */
export interface Use {
  readonly dollars?: number;
  readonly tokens: number;
  readonly minutes: number;
  readonly turns: number;
}

export interface Run {
  readonly id: string;
  readonly goal: string;
  readonly workflow: Workflow;
  /** The repository's top folder, and the commit everything starts from. */
  readonly repository: string;
  readonly base: string;
  /** The branch on which what was proved comes together: seam/crew/<run>. */
  readonly target: string;
  readonly state: RunState;
  readonly reason?: string;
  readonly budget: Budget;
  /** What people allowed to be spent beyond budgets. */
  readonly allowances?: readonly Allowance[];
  /** Who does what neither a task nor its role names an agent for, best first. */
  readonly agents: readonly AgentChoice[];
  /** The worker on whose machine it was started: it asks its people, and its repository is there. */
  readonly origin: string;
  /** The workers that do its tasks; absent: the one it was started on. */
  readonly pool?: string;
  /** Where machines exchange its branches, as the user named it. */
  readonly remote?: string;
  /** The branch that gets its result when it is done, because the settings of its user say so. */
  readonly landsOn?: string;
  /** That branch has it. */
  readonly landed?: true;
  /** How often its flow was begun: once, and again for each time that somebody resumed it. */
  readonly flows: number;
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** More of something, for a task, the run, or the day on which it was allowed. */
export interface Allowance {
  readonly of: "task" | "run" | "day";
  readonly task?: string;
  readonly more: Budget;
  readonly at: string;
}

/** One task of a run; tasks of a plan, a list or a loop have ids of their own. */
export interface Task {
  readonly run: string;
  readonly id: string;
  /** The id of the declaration it came from. */
  readonly spec: string;
  readonly title: string;
  readonly state: TaskState;
  readonly reason?: string;
  readonly dependsOn: readonly string[];
  readonly item?: string;
  /** The task that brought it in: a plan, or the one that stands for all items of a list. */
  readonly group?: string;
  /** Which time a loop runs it, from 2 on. */
  readonly round?: number;
  /** seam/tasks/<run>/<task>: git cannot have a branch below the branch seam/crew/<run>. */
  readonly branch: string;
  /** The commit with the task's work. */
  readonly commit?: string;
  readonly mergedAs?: string;
  readonly result?: unknown;
  readonly use: Use;
  /** How often somebody let it begin anew. */
  readonly retries?: number;
  /** The number of its last attempt when somebody let it begin anew: those before do not count any more. */
  readonly triedBefore?: number;
  /** Why the merge queue gave it back, until it is tried again. */
  readonly refused?: MergeRefusal;
  readonly startedAt?: string;
  readonly endedAt?: string;
}

/** Why work could not be merged: it does not fit to what others did, or not all checks passed. */
export interface MergeRefusal {
  readonly kind: "conflict" | "red";
  /** The commit that was refused; another one is another try. */
  readonly commit: string;
  readonly files: readonly string[];
  /** In words, for the agent that has to do something about it. */
  readonly reason: string;
}

/** How an attempt ended, read from what the agent wrote and never from its exit code alone. */
export type AttemptEnd =
  | { readonly kind: "finished"; readonly text: string; readonly result?: unknown }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "limited"; readonly reason: string; readonly until?: string }
  | { readonly kind: "logged-out"; readonly reason: string }
  /** It is not installed on this machine, or cannot work without a terminal. */
  | { readonly kind: "unavailable"; readonly reason: string }
  | { readonly kind: "ungated"; readonly reason: string }
  | { readonly kind: "stalled"; readonly reason: string }
  | { readonly kind: "over-budget"; readonly reason: string }
  | { readonly kind: "ended"; readonly reason: string };

/** One agent process at one task. Stored before its worktree and its process exist. */
export interface Attempt {
  readonly run: string;
  readonly task: string;
  readonly number: number;
  readonly agent: AgentName;
  readonly model?: string;
  /** The machine's worker that started it. */
  readonly worker: string;
  readonly pid?: number;
  /** When the kernel says the process started, so that another process with its id is not taken for it. */
  readonly processStart?: string;
  readonly session?: string;
  readonly workspace?: string;
  /** The folder with its prompt, output and exit code. */
  readonly folder: string;
  /** The session it goes on with. */
  readonly resumes?: string;
  /** What the agent is told beside its task: why it is tried again. */
  readonly told?: string;
  /** It judges what another attempt did, and changes nothing. */
  readonly isReview?: true;
  /** What it may use, decided before it started. */
  readonly granted: Budget;
  /** What others may not count on while it runs. */
  readonly setAside: Budget;
  readonly use: Use;
  readonly end?: AttemptEnd;
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** What Seam saw when it ran the commands itself. */
export interface Proof {
  readonly passed: boolean;
  readonly commit: string;
  readonly checks: readonly {
    readonly command: string;
    /** Absent: it was ended, `reason` says why. */
    readonly exitCode?: number;
    readonly reason?: string;
    /** The end of what it printed; all of it is in the file. */
    readonly output: string;
    readonly file: string;
    readonly milliseconds: number;
    /** Processes that it left behind, or had when it was ended; Seam ended them. */
    readonly killed?: number;
  }[];
}
