import type { CallIds, HookRow, Reading, Told, ToolReading } from "../../agents/index.ts";
import type { Calls } from "../journal/entry.ts";

/** The reading with ids that tell the calls of a session apart, also where the agent gives none. */
export function withCallIds(ids: CallIds, row: HookRow, reading: Reading, hookId: string): Reading {
  const { tools = [] } = reading;
  if (!namesCalls(reading)) return reading;
  const begins = row.events.includes("tool_call");
  const give = (tool: ToolReading) => (begins ? ids.begin(tool, hookId) : ids.end(tool, hookId));
  const given = new Map<string, string>();
  const idOf = (tool: ToolReading) => {
    // One call that touches several files is read once per file.
    const id = given.get(tool.callId) ?? give(tool);
    given.set(tool.callId, id);
    return id;
  };
  return { ...reading, tools: tools.map((tool) => ({ ...tool, callId: idOf(tool) })) };
}

/** Whether the reading has calls that need an id. */
export function namesCalls({ tools = [] }: Reading): boolean {
  return tools.some(({ madeUpId }) => madeUpId);
}

/** What the journal keeps of calls that need an id, once what the agent said is gone from it. */
export function callsIn(reading: Reading | undefined): Calls | undefined {
  if (!reading) return undefined;
  const { sessionId, cwd, tools = [] } = reading;
  const ids = tools.flatMap(({ callId, madeUpId }) => (madeUpId ? [callId] : []));
  if (ids.length === 0) return undefined;
  return { session: sessionId, ...(cwd !== undefined && { cwd }), ids: [...new Set(ids)] };
}

/** What of a reading is needed to recognise these calls later. */
export function readingOf({ session, cwd, ids }: Calls): Reading {
  const nothing = { name: "", nativeName: "", input: {}, nativeInput: {}, madeUpId: true };
  return {
    sessionId: session,
    ...(cwd !== undefined && { cwd }),
    tools: ids.map((callId) => ({ ...nothing, callId })),
  };
}

/** Notes what became of calls that were about to begin. */
export function noteTold(
  ids: CallIds,
  row: HookRow,
  { sessionId, tools = [] }: Reading,
  told: Told,
): void {
  if (!row.events.includes("tool_call")) return;
  for (const tool of tools) {
    if (told.block) ids.drop(tool.callId);
    else if (told.input) ids.rewritten(sessionId, tool, tool.callId, told.input);
  }
}
