import type { SeamEvent, Usage } from "agentseam";

const MOST_SHOWN_CALLS = 5;
const LONGEST_CALL = 100;

/** Tokens and dollars. */
export interface Spent {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cost: number;
}

/** One task of one subagent, from the moment it is known. */
export interface Run {
  readonly agent: string;
  /** As it was given; `{previous}` is filled in when it starts. */
  task: string;
  status: "waiting" | "running" | "done" | "failed" | "aborted";
  /** What it said last. */
  text: string;
  toolCalls: number;
  /** The last few, for people. */
  recentCalls: string[];
  spent: Spent;
  error?: string;
}

export const nothingSpent = (): Spent => {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
};

export function newRun(agent: string, task: string): Run {
  const spent = nothingSpent();
  return { agent, task, status: "waiting", text: "", toolCalls: 0, recentCalls: [], spent };
}

/** Follows a child's events. The function returned says whether there is something new to show. */
export function follow(run: Run): (event: SeamEvent) => "now" | "soon" | undefined {
  let draft = "";
  return (event) => {
    if (event.type === "message_start") draft = "";
    if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") {
      draft += event.assistantMessageEvent.delta;
      run.text = draft;
      return "soon";
    }
    if (event.type === "tool_execution_start") {
      const call = `${event.toolName} ${JSON.stringify(event.args)}`;
      run.toolCalls++;
      run.recentCalls = [...run.recentCalls, call.slice(0, LONGEST_CALL)].slice(-MOST_SHOWN_CALLS);
      return "now";
    }
    if (event.type !== "message_end" || event.message.role !== "assistant") return undefined;
    const { content, usage, stopReason, errorMessage } = event.message;
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (text !== "") run.text = text;
    add(run.spent, usage);
    // An answer after a failed one means that it was tried again, and worked.
    if (stopReason !== "error") delete run.error;
    else run.error = errorMessage ?? "The model gave no answer.";
    return "now";
  };
}

function add(spent: Spent, { input, output, cacheRead, cacheWrite, cost }: Usage): void {
  spent.input += input;
  spent.output += output;
  spent.cacheRead += cacheRead;
  spent.cacheWrite += cacheWrite;
  spent.cost += cost.total;
}

export function total(runs: readonly Run[]): Spent {
  const sum = nothingSpent();
  for (const { spent } of runs) {
    for (const key of Object.keys(sum) as (keyof Spent)[]) sum[key] += spent[key];
  }
  return sum;
}
