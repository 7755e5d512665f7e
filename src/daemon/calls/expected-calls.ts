import { isDeepStrictEqual } from "node:util";
import type { Reading, Told } from "../../agents/index.ts";
import type { SeamEvent } from "../../events/index.ts";
import type { ExpectedCall, Session } from "../sessions/session.ts";

type Params = Readonly<Record<string, unknown>>;

/**
 * A session never has more calls under way. Calls that the agent did not make after all stay in the
 * list.
 */
const MOST_EXPECTED = 50;
/** The agent makes the call as soon as its hook was answered. */
const SOON_MS = 60_000;

interface Heard {
  readonly session: Session;
  readonly reading: Reading;
  readonly events: readonly SeamEvent[];
}

/**
 * Notes the calls of extensions' tools that a hook asked about and nobody stopped. They come next,
 * over MCP, and handlers are not asked about them a second time. A call that the agent's own dialog
 * has to decide first is not noted: the daemon does not hear what was said there.
 */
export function expectCalls(
  { session, reading, events }: Heard,
  { block, ask, input }: Told,
): void {
  if (block || ask || !events.some(({ type }) => type === "tool_call")) return;
  for (const { name, isSeams, nativeInput } of reading.tools ?? []) {
    if (!isSeams) continue;
    const params = { ...nativeInput, ...input };
    session.expectedCalls.push({ tool: name, params, until: Date.now() + SOON_MS });
    if (session.expectedCalls.length > MOST_EXPECTED) session.expectedCalls.shift();
  }
}

/** Whether a hook asked about this very call a moment ago. */
export function isExpected({ expectedCalls }: Session, tool: string, params: Params): boolean {
  return expectedCalls.some((one) => isSame(one, tool, params));
}

/** The same question; a yes takes the call off the list. */
export function takeExpected({ expectedCalls }: Session, tool: string, params: Params): boolean {
  const at = expectedCalls.findIndex((one) => isSame(one, tool, params));
  if (at < 0) return false;
  expectedCalls.splice(at, 1);
  return true;
}

function isSame(one: ExpectedCall, tool: string, params: Params): boolean {
  return one.tool === tool && Date.now() < one.until && isDeepStrictEqual(one.params, params);
}
