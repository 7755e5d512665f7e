import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dispatcher } from "../../src/dispatch/index.ts";
import type { AssistantMessage, AssistantMessageEvent } from "../../src/events/index.ts";
import { atLeast, atMost, type Case, interleave, median, medians, ratio } from "../frame.ts";
import { type PiRunner, piWith } from "./pi.ts";
import { newDispatcher, seamWith } from "./seam.ts";

const TOKENS = 2_500;
const TOKENS_PER_PACKET = 10;
const STREAMED = `${TOKENS.toLocaleString("en-US")} message_update and their message_end`;
/** So long the end of a message waits for an extension that is behind with the updates. */
const CATCH_UP_MS = 500;

/** A model's answer streams in and ends while extensions take their time over every piece of it. */
export async function* streamCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say(STREAMED);
  const packets = packetsOf(TOKENS);
  // Before and after, so that what is measured in between is known to deliver.
  await assertDelivered(packets);
  const series = await interleave(
    { alone: () => unheard(packets), observed: () => heard(packets) },
    { rounds: 200, warmUps: 20 },
  );
  await assertDelivered(packets);
  yield atMost({
    name: `${STREAMED} with a handler of the updates that sleeps 1 ms`,
    value: ratio(series.observed, series.alone),
    bar: 1.2,
    unit: "times as long as with no handler",
    detail: medians({ "no handler": series.alone, "slow handler": series.observed }, "ms"),
  });
  yield await besidePi(folder, packets);
  yield await behind(packets);
}

/** Both have delivered everything when the message has ended. */
async function besidePi(folder: string, packets: readonly Uint8Array[]): Promise<Case> {
  const path = join(folder, "stream.ts");
  writeFileSync(path, ASYNC);
  const seam = await seamWith([path], folder);
  const pi = await piWith([path], folder);
  const { Seam, Pi } = await interleave(
    { Seam: () => streamTo(toSeam(seam), packets), Pi: () => streamTo(toPi(pi), packets) },
    { rounds: 100, warmUps: 10 },
  );
  return atLeast({
    name: `${STREAMED} with async handlers of both`,
    value: ratio(Pi, Seam),
    bar: 1,
    unit: "times faster than Pi",
    detail: medians({ Seam, Pi }, "ms"),
  });
}

const ASYNC = `export default function (pi) {
  pi.on("message_update", async () => {});
  pi.on("message_end", async () => {});
}
`;

/** An extension that cannot keep up holds back the end of a message for so long, and no longer. */
async function behind(packets: readonly Uint8Array[]): Promise<Case> {
  const took: number[] = [];
  for (let round = 0; round < 5; round++) {
    const { dispatcher, owner } = await slowlyObserved();
    dispatcher.on(owner, "message_end", () => {});
    took.push(await streamTo(toSeam(dispatcher), packets));
    dispatcher.removeOwner(owner);
  }
  return atMost({
    name: `${STREAMED} with handlers of both, of which that of the updates sleeps 1 ms`,
    value: median(took) / CATCH_UP_MS,
    bar: 1.2,
    unit: `times the ${CATCH_UP_MS} ms that the end waits`,
    detail: medians({ Seam: took }, "ms"),
  });
}

async function unheard(packets: readonly Uint8Array[]): Promise<number> {
  return streamTo(toSeam(await newDispatcher()), packets);
}

/** What is still to be delivered when the message has ended is dropped: the next run must not pay. */
async function heard(packets: readonly Uint8Array[]): Promise<number> {
  const { dispatcher, owner } = await slowlyObserved();
  const ms = await streamTo(toSeam(dispatcher), packets);
  dispatcher.removeOwner(owner);
  return ms;
}

async function assertDelivered(packets: readonly Uint8Array[]): Promise<void> {
  const { dispatcher, owner, seen } = await slowlyObserved();
  await streamTo(toSeam(dispatcher), packets);
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

/** Where a message goes: its updates one by one, then its end. */
interface Listening {
  update(event: {
    message: AssistantMessage;
    assistantMessageEvent: AssistantMessageEvent;
  }): unknown;
  end(message: AssistantMessage): unknown;
}

/** As the embedded agent sends them: the end is waited for, and what is queued comes before it. */
function toSeam(dispatcher: Dispatcher): Listening {
  return {
    update: (event) => dispatcher.emit({ type: "message_update", ...event }),
    end: (message) => dispatcher.emit({ type: "message_end", message }),
  };
}

function toPi(runner: PiRunner): Listening {
  return {
    update: (event) => runner.emit({ type: "message_update", ...event }),
    end: (message) => runner.emitMessageEnd({ type: "message_end", message }),
  };
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

/** Milliseconds until the message has ended. */
async function streamTo(listening: Listening, packets: readonly Uint8Array[]): Promise<number> {
  const startedAt = performance.now();
  let message = EMPTY;
  for await (const assistantMessageEvent of answerFrom(packets)) {
    if (!("partial" in assistantMessageEvent)) continue;
    message = assistantMessageEvent.partial;
    await listening.update({ message, assistantMessageEvent });
  }
  await listening.end(message);
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
