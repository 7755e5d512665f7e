import { eventsFor, type HookRow, type Outcome, type Reading } from "../../agents/index.ts";
import type { SeamEvent } from "../../events/index.ts";
import type { Session } from "../sessions/session.ts";

/** How long those who want to know of an entry before it is written may keep it from that. */
const BEFORE_MS = 2_000;

const BEFORE = "before_tool_call_persist";
const AFTER = "after_tool_call_persist";

/** The two events around the place where a tool call of a foreign agent is kept. */
export interface PersistPair {
  readonly before: readonly SeamEvent[];
  readonly after: readonly SeamEvent[];
}

/** Tells those who want to know of an entry that is about to be written, and waits for them. */
export async function tellBefore(session: Session, events: readonly SeamEvent[]): Promise<void> {
  const before = events.filter(({ type }) => type === BEFORE);
  if (before.length === 0 || !session.listensFor(before)) return;
  await session.decide(before, BEFORE_MS);
}

/** What is left of the events of a hook for those who decide on it. */
export function withoutPair(events: readonly SeamEvent[]): SeamEvent[] {
  return events.filter(({ type }) => type !== BEFORE && type !== AFTER);
}

/**
 * What is to be told once a hook was answered. A result is in the journal by then, and those who
 * want to know of it get it as it was replaced. A call that was stopped has no other hook: it is
 * kept where it is recorded, as a result that says why.
 */
export function pairAfter(
  events: readonly SeamEvent[],
  { block, result }: Outcome,
  stopped: { readonly row: HookRow; readonly reading: Reading; readonly origin: object },
): PersistPair {
  if (!block) {
    const toolResult = result && { content: result.content, isError: result.isError };
    const after = events.flatMap((event) => {
      if (event.type !== AFTER) return [];
      return [toolResult ? { ...event, toolResult } : event];
    });
    return { before: [], after };
  }
  const content = [{ type: "text" as const, text: block.reason }];
  const said = { content, isError: true, native: undefined };
  const { row, reading, origin } = stopped;
  const tools = reading.tools?.map((tool) => ({ ...tool, result: said })) ?? [];
  const both = eventsFor({ ...row, events: [BEFORE, AFTER] }, { ...reading, tools }, origin);
  return {
    before: both.filter(({ type }) => type === BEFORE),
    after: both.filter(({ type }) => type === AFTER),
  };
}
