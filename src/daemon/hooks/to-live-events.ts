import type { Reading, Told } from "../../agents/index.ts";
import { declarationOf, type SeamEvent } from "../../events/index.ts";
import type { LiveEvent } from "../live-events.ts";

const LONGEST_TARGET = 200;

type Common = Pick<LiveEvent, "seq" | "at" | "agent" | "hook"> & { cwd?: string; ms?: number };

/** A hook as those who watch see it: a line for each event, with what was decided about it. */
export function toLiveEvents(
  common: Common,
  reading: Reading | undefined,
  events: readonly SeamEvent[],
  told: Told,
): LiveEvent[] {
  const session = reading && { session: reading.sessionId };
  if (events.length === 0) return [{ ...common, ...session }];
  return events.map((event) => ({
    ...common,
    ...session,
    event: event.type,
    ...toolOf(event),
    ...(declarationOf(event.type).kind !== "observe" && decisionOf(told)),
    ...(event.type === "agent_end" && told.goOn !== undefined && { decision: "goes on" }),
  }));
}

function toolOf(event: SeamEvent): { tool?: string; target?: string } {
  if (!("toolName" in event)) return {};
  const input: unknown = "input" in event ? event.input : undefined;
  const { command, path, pattern } = (input ?? {}) as Record<string, unknown>;
  const target = command ?? path ?? pattern;
  return {
    tool: event.toolName,
    ...(typeof target === "string" && { target: target.slice(0, LONGEST_TARGET) }),
  };
}

function decisionOf(told: Told): { decision?: string; reason?: string; by?: string } {
  const { block, ask, prompt, cancel, input, result, context } = told;
  if (block) {
    return { decision: "blocked", reason: block.reason, ...(block.by && { by: block.by }) };
  }
  if (ask) return { decision: "asked", reason: ask.reason, ...(ask.by && { by: ask.by }) };
  if (prompt?.blocked !== undefined) return { decision: "blocked", reason: prompt.blocked };
  if (cancel) return { decision: "cancelled", reason: cancel.reason };
  if (input || prompt?.text !== undefined || result) return { decision: "changed" };
  return context === undefined ? {} : { decision: "context added" };
}

/** The events that really happened: those after a gate that closed did not. */
export function firedEvents(events: readonly SeamEvent[], told: Told): readonly SeamEvent[] {
  const gate = closedGate(told);
  const last = gate === undefined ? -1 : events.findLastIndex(({ type }) => type === gate);
  return last < 0 ? events : events.slice(0, last + 1);
}

function closedGate({ block, prompt, cancel }: Told): SeamEvent["type"] | undefined {
  if (block) return "tool_call";
  if (prompt?.blocked !== undefined) return "input";
  return cancel ? "session_before_compact" : undefined;
}
