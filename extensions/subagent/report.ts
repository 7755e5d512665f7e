import { type Run, type Spent, total } from "./run.ts";

// Beyond this a result would fill the context it was meant to spare, or a command line.
const LONGEST_RESULT = 30_000;
const LONGEST_LINE = 80;

export interface SubagentDetails {
  readonly mode: "single" | "parallel" | "chain";
  readonly runs: readonly Run[];
  readonly spent: Spent;
}

/** What a subagent found out, short enough to be passed on. */
export function answerOf({ text, status, error }: Run): string {
  if (status === "waiting") return "Not started.";
  const cut = text.length - LONGEST_RESULT;
  const answer = cut > 0 ? `${text.slice(0, LONGEST_RESULT)}\n[${cut} more characters]` : text;
  if (status === "done") return answer === "" ? "It said nothing." : answer;
  const why = error ?? `It was ${status === "aborted" ? "aborted" : "not finished"}.`;
  return answer === "" ? why : `${why}\nIt had said:\n${answer}`;
}

/** The result of all runs so far. It is an error only if nothing came of it. */
export function resultOf(mode: SubagentDetails["mode"], runs: readonly Run[]) {
  const details: SubagentDetails = {
    mode,
    runs: runs.map((run) => ({ ...run, spent: { ...run.spent } })),
    spent: total(runs),
  };
  const [only] = runs;
  const parts = runs.map(
    (run, at) => `## ${at + 1}. ${run.agent}: ${run.status}\n\n${answerOf(run)}`,
  );
  const text = mode === "single" && only ? answerOf(only) : parts.join("\n\n");
  const wantedAll = mode !== "parallel";
  const isGood = ({ status }: Run) => status === "done";
  const isError = wantedAll ? !runs.every(isGood) : !runs.some(isGood);
  return { content: [{ type: "text" as const, text }], details, isError };
}

/** The same while it goes on: a line for each run. */
export function progressOf(mode: SubagentDetails["mode"], runs: readonly Run[]) {
  const lines = runs.map(({ agent, status, text, toolCalls, spent }) => {
    const last = text.trimEnd().split("\n").at(-1) ?? "";
    const tokens = spent.input + spent.output;
    return `${agent}: ${status}, ${toolCalls} tool calls, ${tokens} tokens. ${last.slice(0, LONGEST_LINE)}`;
  });
  const { details } = resultOf(mode, runs);
  return { content: [{ type: "text" as const, text: lines.join("\n") }], details };
}
