import type { Dispatcher } from "../../src/dispatch/index.ts";
import type { AssistantMessage, AssistantMessageEvent } from "../../src/events/index.ts";
import { atMost, type Case, interleave, medians, ratio } from "../frame.ts";
import { newDispatcher } from "./seam.ts";

const TOKENS = 2_500;
const TOKENS_PER_PACKET = 10;

/** A model's answer streams in while an extension takes its time over every piece of it. */
export async function* streamCases(say: (text: string) => void): AsyncGenerator<Case> {
  say(`${TOKENS} message_update`);
  const packets = packetsOf(TOKENS);
  // Before and after, so that what is measured in between is known to deliver.
  await assertDelivered(packets);
  const series = await interleave(
    { alone: () => unheard(packets), observed: () => heard(packets) },
    { rounds: 200, warmUps: 20 },
  );
  await assertDelivered(packets);
  yield atMost({
    name: `${TOKENS.toLocaleString("en-US")} message_update with a handler that sleeps 1 ms`,
    value: ratio(series.observed, series.alone),
    bar: 1.2,
    unit: "times as long as with no handler",
    detail: medians({ "no handler": series.alone, "slow handler": series.observed }, "ms"),
  });
}

async function unheard(packets: readonly Uint8Array[]): Promise<number> {
  return streamTo(await newDispatcher(), packets);
}

/** What is still to be delivered when the stream has ended is dropped: the next run must not pay. */
async function heard(packets: readonly Uint8Array[]): Promise<number> {
  const { dispatcher, owner } = await slowlyObserved();
  const ms = await streamTo(dispatcher, packets);
  dispatcher.removeOwner(owner);
  return ms;
}

async function assertDelivered(packets: readonly Uint8Array[]): Promise<void> {
  const { dispatcher, owner, seen } = await slowlyObserved();
  await streamTo(dispatcher, packets);
  await dispatcher.settled(60_000);
  const inOrder = seen.every((delta, index) => delta === deltaOf(index));
  if (seen.length !== TOKENS || !inOrder || dispatcher.lost(owner) > 0) {
    throw new Error(`Of ${TOKENS} events ${seen.length} arrived, in order: ${inOrder}.`);
  }
}

async function slowlyObserved() {
  const dispatcher = await newDispatcher();
  const owner = { name: "slow", path: "/slow.ts", createContext: () => ({}) };
  const seen: string[] = [];
  dispatcher.on(owner, "message_update", async (event: { assistantMessageEvent: Delta }) => {
    seen.push(event.assistantMessageEvent.delta);
    await new Promise((resolve) => setTimeout(resolve, 1));
  });
  return { dispatcher, owner, seen };
}

interface Delta {
  readonly delta: string;
}

const deltaOf = (index: number) => `token${index} `;

/** What a provider sends: server-sent events, several in one packet. */
function packetsOf(tokens: number): Uint8Array[] {
  const packets: Uint8Array[] = [];
  for (let start = 0; start < tokens; start += TOKENS_PER_PACKET) {
    const lines = Array.from({ length: TOKENS_PER_PACKET }, (_, offset) => {
      const delta = { type: "text_delta", text: deltaOf(start + offset) };
      return `data: ${JSON.stringify({ type: "content_block_delta", index: 0, delta })}\n\n`;
    });
    packets.push(new TextEncoder().encode(lines.join("")));
  }
  return packets;
}

/** Reads them as a provider's adapter does: between packets the event loop turns. */
async function* answerFrom(packets: readonly Uint8Array[]): AsyncGenerator<AssistantMessageEvent> {
  const decoder = new TextDecoder();
  const block = { type: "text" as const, text: "" };
  const partial: AssistantMessage = { ...EMPTY, content: [block] };
  for (const packet of packets) {
    await new Promise((resolve) => setImmediate(resolve));
    for (const line of decoder.decode(packet, { stream: true }).split("\n")) {
      if (!line.startsWith("data: ")) continue;
      const { delta } = JSON.parse(line.slice(6)) as { delta: { text: string } };
      block.text += delta.text;
      yield { type: "text_delta", contentIndex: 0, delta: delta.text, partial };
    }
  }
}

/** Milliseconds until the stream's own loop has ended. */
async function streamTo(dispatcher: Dispatcher, packets: readonly Uint8Array[]): Promise<number> {
  const startedAt = performance.now();
  for await (const assistantMessageEvent of answerFrom(packets)) {
    if (!("partial" in assistantMessageEvent)) continue;
    const message = assistantMessageEvent.partial;
    await dispatcher.emit({ type: "message_update", message, assistantMessageEvent });
  }
  return performance.now() - startedAt;
}

const EMPTY: AssistantMessage = {
  role: "assistant",
  content: [],
  api: "test",
  provider: "test",
  model: "test",
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 0,
};
