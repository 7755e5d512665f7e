import { eventsFor, type HookRow, type Reading, type Told } from "../../agents/index.ts";
import type { SeamEvent } from "../../events/index.ts";
import type { Session } from "../sessions/session.ts";

/** How long handlers may delay the writing of an entry. */
const BEFORE_MS = 2_000;

const BEFORE = "before_tool_call_persist";
const AFTER = "after_tool_call_persist";

/** The two events around the place where a tool call of a foreign agent is kept. */
export interface PersistPair {
  readonly before: readonly SeamEvent[];
  readonly after: readonly SeamEvent[];
}

/** Tells those who want to know of an entry that is about to be written, and waits for them. */
export async function tellBefore(session: Session, before: readonly SeamEvent[]): Promise<void> {
  if (before.length === 0 || !session.listensFor(before)) return;
  await session.decide(before, BEFORE_MS);
}

/** Those events of a hook that are fired before the hook is in the journal. */
export function beforeJournal({
  session,
  events,
}: {
  readonly session: Session;
  readonly events: readonly SeamEvent[];
}): SeamEvent[] {
  return events.filter((event) => event.type === BEFORE && !wasTold(session, event));
}

/** Some agents tell of a call that was stopped once more, as one that failed. */
function wasTold(session: Session, event: SeamEvent): boolean {
  return "toolCallId" in event && session.stoppedCalls.has(String(event.toolCallId));
}

const MOST_STOPPED = 1_000;

function noteStopped({ stoppedCalls }: Session, events: readonly SeamEvent[]): void {
  for (const event of events) if ("toolCallId" in event) stoppedCalls.add(String(event.toolCallId));
  const [oldest = ""] = stoppedCalls;
  if (stoppedCalls.size > MOST_STOPPED) stoppedCalls.delete(oldest);
}

/** The events of a hook without these, for the handlers that decide. */
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
  { block, result }: Told,
  known: {
    readonly session: Session;
    readonly row: HookRow;
    readonly reading: Reading;
    readonly origin: object;
  },
): PersistPair {
  const { session, row, reading, origin } = known;
  if (!block) {
    const toolResult = result && { content: result.content, isError: result.isError };
    const after = events.flatMap((event) => {
      if (event.type !== AFTER || wasTold(session, event)) return [];
      return [toolResult ? { ...event, toolResult } : event];
    });
    return { before: [], after };
  }
  const content = [{ type: "text" as const, text: block.reason }];
  const said = { content, isError: true, native: undefined };
  const tools = reading.tools?.map((tool) => ({ ...tool, result: said })) ?? [];
  const both = eventsFor({ ...row, events: [BEFORE, AFTER] }, { ...reading, tools }, origin);
  noteStopped(session, both);
  return {
    before: both.filter(({ type }) => type === BEFORE),
    after: both.filter(({ type }) => type === AFTER),
  };
}
