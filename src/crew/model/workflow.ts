import type { AgentName } from "../../agents/index.ts";

/** What a budget limits. What is absent is not limited. */
export interface Budget {
  readonly dollars?: number;
  readonly tokens?: number;
  readonly minutes?: number;
  readonly turns?: number;
}

/** An agent that may do a task, and the model it is to use. */
export interface AgentChoice {
  readonly agent: AgentName;
  readonly model?: string;
}

/** What a role may do. Everybody is held to it at the gate, whatever an agent's own flags allow. */
export interface Role {
  readonly name: string;
  readonly description: string;
  /** `read`: nothing in the workspace may be changed, by any tool. */
  readonly access: "read" | "write";
  /** What the agent is told about its part, before the task itself. */
  readonly instructions: string;
  /** In order of preference; empty: whatever the run was started with. */
  readonly agents: readonly AgentChoice[];
  /** Shell commands a `read` role may run beside the harmless ones, as patterns with `*`. */
  readonly allowCommands: readonly string[];
  readonly mayPush: boolean;
}

export type OnFail = "stop" | "skip" | "continue";

/** When a task runs: a comparison over results of the tasks before it, parsed once. */
export interface Condition {
  readonly task: string;
  /** Where in the task's result to look, "" for the state of the task itself. */
  readonly path: string;
  readonly is: "equals" | "differs" | "truthy" | "falsy";
  readonly value?: unknown;
}

/** One task as a workflow declares it. */
export interface TaskSpec {
  readonly id: string;
  readonly title: string;
  readonly role: string;
  /** Text with {goal}, {item} and {results.<task>} in it. */
  readonly prompt: string;
  readonly agents: readonly AgentChoice[];
  readonly dependsOn: readonly string[];
  /** Tasks whose results it is shown beside those of the tasks it depends on. */
  readonly reads: readonly string[];
  readonly when?: Condition;
  readonly onFail: OnFail;
  /** All from `backTo` to this task runs again while the condition does not hold, at most `times` times. */
  readonly loop?: { readonly until: Condition; readonly times: number; readonly backTo: string };
  /** One task for each item of a list: written down, or taken from a result ("plan.files"). */
  readonly forEach?: readonly string[] | string;
  /** The result is a list of tasks that join the graph, shown for approval unless told otherwise. */
  readonly plans: boolean;
  /** Commands that Seam runs in the workspace after the task, and again on the merged candidate. */
  readonly verify: readonly string[];
  /** Globs of the files that the task may change; absent: all of them. */
  readonly files?: readonly string[];
  /** Folders that its worktree has, beside the files at the top; absent: everything. */
  readonly sparse?: readonly string[];
  /** A JSON schema of the result; absent: the last answer as text. */
  readonly result?: object;
  readonly budget: Budget;
  /** A person has to agree before it starts. */
  readonly approve: boolean;
  /** The role of another agent that has to agree with what was done before it counts. */
  readonly reviewedBy?: string;
  /** Whether there has to be a change or a result; a task that only looks has its result. */
  readonly expects: "change" | "result";
  /** Minutes without any event after which the agent counts as stalled. */
  readonly stallMinutes: number;
}

/** A workflow with everything it names found: what a run is started with, and kept with it. */
export interface Workflow {
  readonly name: string;
  readonly description: string;
  readonly tasks: readonly TaskSpec[];
  readonly roles: Readonly<Record<string, Role>>;
  readonly maxConcurrency: number;
  readonly budget: Budget;
  /** Commands that Seam runs on every merged candidate. */
  readonly verify: readonly string[];
  readonly approvePlan: boolean;
  readonly approveMerge: boolean;
}
