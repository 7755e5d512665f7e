import { createHash } from "node:crypto";
import { readText } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import type { Attempt, Run, Task, Use } from "../model/run.ts";
import { attemptFiles } from "../workers/index.ts";

/** Names of spans and attributes, all in one place: what is sent has no others. */
export const NAMES = {
  service: "seam",
  scope: "agentseam.crew",
  run: "crew.run",
  task: "crew.task",
  attempt: "crew.attempt",
  turn: "crew.turn",
  goal: "crew.goal",
  workflow: "crew.workflow",
  taskId: "crew.task.id",
  role: "crew.task.role",
  state: "crew.state",
  reason: "crew.reason",
  number: "crew.attempt.number",
  agent: "gen_ai.agent.name",
  model: "gen_ai.request.model",
  session: "gen_ai.conversation.id",
  tokens: "crew.use.tokens",
  dollars: "crew.use.dollars",
  turns: "crew.use.turns",
  end: "crew.attempt.end",
  calls: "crew.turn.calls",
} as const;

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly doubleValue: number };
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: 0 | 1 | 2; readonly message?: string };
}

export interface SpanSource {
  readonly run: Run;
  readonly tasks: readonly Task[];
  readonly attempts: readonly Attempt[];
}

/**
 * A run as spans: the run, its tasks, their attempts, and in them the turns of the agent. Their ids follow from what they are about, so
 * that what is sent twice is the same span twice.
 */
export function spansOf({ run, tasks, attempts }: SpanSource): Span[] {
  const now = run.endedAt ?? new Date().toISOString();
  const traceId = idOf(32, run.id);
  const span = (
    key: readonly string[],
    parent: readonly string[] | undefined,
    name: string,
    times: { readonly startedAt?: string; readonly endedAt?: string },
    attributes: readonly (readonly [string, string | number | undefined])[],
    status: Span["status"],
  ): Span => ({
    traceId,
    spanId: idOf(16, ...key),
    ...(parent && { parentSpanId: idOf(16, ...parent) }),
    name,
    kind: 1,
    startTimeUnixNano: nanos(times.startedAt ?? run.startedAt),
    endTimeUnixNano: nanos(times.endedAt ?? now),
    attributes: attributes.flatMap(([one, value]) => attribute(one, value) ?? []),
    status,
  });
  const whole = span(
    [run.id],
    undefined,
    `${NAMES.run} ${run.workflow.name}`,
    run,
    [
      [NAMES.goal, run.goal],
      [NAMES.workflow, run.workflow.name],
      [NAMES.state, run.state],
    ],
    statusOf(run),
  );
  const started = tasks.filter(({ startedAt }) => startedAt !== undefined);
  return [
    whole,
    ...started.map((task) =>
      span(
        [run.id, task.id],
        [run.id],
        `${NAMES.task} ${task.title}`,
        task,
        [
          [NAMES.taskId, task.id],
          [NAMES.state, task.state],
          [NAMES.reason, task.reason],
          ...useOf(task.use),
        ],
        statusOf(task),
      ),
    ),
    ...attempts.map((one) =>
      span(
        [run.id, one.task, String(one.number)],
        [run.id, one.task],
        `${NAMES.attempt} ${one.agent}`,
        one,
        [
          [NAMES.number, one.number],
          [NAMES.agent, one.agent],
          [NAMES.model, one.model],
          [NAMES.session, one.session],
          [NAMES.end, one.end?.kind],
          ...useOf(one.use),
        ],
        one.end === undefined || one.end.kind === "finished"
          ? { code: 0 }
          : failed("reason" in one.end ? one.end.reason : undefined),
      ),
    ),
    ...attempts.flatMap((one) =>
      turnsOf(one).map((turn, at) =>
        span(
          [run.id, one.task, String(one.number), String(at + 1)],
          [run.id, one.task, String(one.number)],
          `${NAMES.turn} ${at + 1}`,
          turn,
          [[NAMES.calls, turn.calls]],
          { code: 0 },
        ),
      ),
    ),
  ];
}

function useOf({ tokens, dollars, turns }: Use): [string, number | undefined][] {
  return [
    [NAMES.tokens, tokens],
    [NAMES.dollars, dollars],
    [NAMES.turns, turns],
  ];
}

function statusOf({ state, reason }: Pick<Run | Task, "state" | "reason">): Span["status"] {
  if (state === "failed") return failed(reason);
  return { code: state === "done" ? 1 : 0 };
}

const failed = (message: string | undefined): Span["status"] => ({
  code: 2,
  ...(message !== undefined && { message }),
});

function attribute(key: string, value: string | number | undefined): Attribute | undefined {
  if (value === undefined) return undefined;
  return {
    key,
    value: typeof value === "number" ? { doubleValue: value } : { stringValue: value },
  };
}

function idOf(length: number, ...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, length);
}

const nanos = (iso: string) => `${Date.parse(iso)}000000`;

/** One prompt and all the work until the agent stopped, as its hooks told of it. */
interface Turn {
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Tool calls in it. */
  readonly calls: number;
}

/**
 * The turns of an attempt. Agents that do not tell when a turn begins have one from the first word
 * that was heard. Empty for one that worked on another machine: what it heard is there.
 */
export function turnsOf({ folder, endedAt }: Pick<Attempt, "folder" | "endedAt">): Turn[] {
  const turns: { startedAt: string; endedAt?: string; calls: number }[] = [];
  for (const line of (readText(attemptFiles(folder).heard) ?? "").split("\n")) {
    const heard = parsed(line);
    if (!heard) continue;
    const { at, events } = heard;
    const last = turns.at(-1);
    const open = last?.endedAt === undefined ? last : undefined;
    const begins = events.includes("agent_start");
    if (open && begins && open.calls > 0) open.endedAt = at;
    if (!open || open.endedAt !== undefined) {
      if (!begins && turns.length > 0) continue;
      turns.push({ startedAt: at, calls: 0 });
    }
    const now = turns.at(-1);
    if (!now) continue;
    if (events.includes("tool_call")) now.calls++;
    if (events.includes("agent_end")) now.endedAt = at;
  }
  return turns.map((turn) => ({
    ...turn,
    ...(turn.endedAt === undefined && endedAt !== undefined && { endedAt }),
  }));
}

function parsed(line: string): { at: string; events: readonly unknown[] } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return undefined;
    const { at, events } = value;
    return typeof at === "string" && Array.isArray(events) ? { at, events } : undefined;
  } catch {
    return undefined;
  }
}
