import type { Dispatcher } from "../../src/dispatch/index.ts";
import type { EventMap } from "../../src/events/index.ts";
import { atLeast, type Case, interleave, medians, nanosPerCall, ratio } from "../frame.ts";
import { writeExtensions } from "./extensions.ts";
import { type PiRunner, piWith } from "./pi.ts";
import { seamWith } from "./seam.ts";

const AGENT_START: EventMap["agent_start"] = { type: "agent_start" };
const TURN_START: EventMap["turn_start"] = { type: "turn_start", turnIndex: 0, timestamp: 0 };
const AGENT_END: EventMap["agent_end"] = { type: "agent_end", messages: [] };
const TOOL_CALL: EventMap["tool_call"] = {
  type: "tool_call",
  toolName: "bash",
  toolCallId: "call-1",
  input: { command: "ls -la", timeout: 30 },
};

interface Pair {
  readonly seam: Dispatcher;
  readonly pi: PiRunner;
}

const UNIT = "times faster than Pi";
const BATCH = 200;
const ROUNDS = { rounds: 25, warmUps: 3 };

/** The same extensions, loaded by both. */
export async function* emitCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  const paths = writeExtensions(folder, 50);
  const fifty = { seam: await seamWith(paths, folder), pi: await piWith(paths, folder) };
  const first = paths.slice(0, 1);
  const one = { seam: await seamWith(first, folder), pi: await piWith(first, folder) };

  say("emit, nobody listens");
  const nobody = await observed(fifty, AGENT_START);
  yield atLeast({
    name: "emit, nobody listens, 50 extensions loaded",
    value: ratio(nobody.Pi, nobody.Seam),
    bar: 20,
    unit: UNIT,
    detail: medians(nobody, "ns"),
  });
  for (const [count, pair] of [
    [1, one],
    [50, fifty],
  ] as const) {
    say(`emit, handlers: ${count}`);
    const handlers = count === 1 ? "handler" : "handlers";
    const sync = await observed(pair, TURN_START);
    yield atLeast({
      name: `emit, ${count} no-op ${handlers}`,
      value: ratio(sync.Pi, sync.Seam),
      bar: 8,
      unit: UNIT,
      detail: medians(sync, "ns"),
    });
    const waiting = await delivered(pair);
    yield atLeast({
      name: `emit, ${count} async ${count === 1 ? "observer" : "observers"}`,
      value: ratio(waiting.Pi, waiting.Seam),
      bar: 1,
      unit: UNIT,
      detail: medians(waiting, "ns"),
    });
    const deciding = await gated(pair);
    yield atLeast({
      name: `tool_call, ${count} ${handlers}`,
      value: ratio(deciding.Pi, deciding.Seam),
      bar: 1,
      unit: UNIT,
      detail: medians(deciding, "ns"),
    });
  }
}

/** The event is sent and awaited, as a host does. */
function observed({ seam, pi }: Pair, event: EventMap["agent_start" | "turn_start"]) {
  return interleave(
    {
      Seam: () =>
        nanosPerCall(BATCH, async (times) => {
          for (let i = 0; i < times; i++) await seam.emit(event);
        }),
      Pi: () =>
        nanosPerCall(BATCH, async (times) => {
          for (let i = 0; i < times; i++) await pi.emit(event);
        }),
    },
    ROUNDS,
  );
}

/** Handlers that return promises. Seam does not wait for them, so its queue counts as well. */
function delivered({ seam, pi }: Pair) {
  return interleave(
    {
      Seam: () =>
        nanosPerCall(BATCH, async (times) => {
          for (let i = 0; i < times; i++) {
            await seam.emit(AGENT_END);
            if (i % 100 === 99) await seam.settled();
          }
          await seam.settled();
        }),
      Pi: () =>
        nanosPerCall(BATCH, async (times) => {
          for (let i = 0; i < times; i++) await pi.emit(AGENT_END);
        }),
    },
    ROUNDS,
  );
}

function gated({ seam, pi }: Pair) {
  return interleave(
    {
      Seam: () =>
        nanosPerCall(BATCH, async (times) => {
          for (let i = 0; i < times; i++) await seam.emit(TOOL_CALL);
        }),
      Pi: () =>
        nanosPerCall(BATCH, async (times) => {
          for (let i = 0; i < times; i++) await pi.emitToolCall(TOOL_CALL);
        }),
    },
    ROUNDS,
  );
}
