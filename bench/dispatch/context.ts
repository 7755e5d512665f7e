import type { Dispatcher } from "../../src/dispatch/index.ts";
import type { AgentMessage } from "../../src/events/index.ts";
import { atMost, type Case, interleave, medians, nanosPerCall, ratio } from "../frame.ts";
import { writeExtensions } from "./extensions.ts";
import { type PiRunner, piWith } from "./pi.ts";
import { seamWith } from "./seam.ts";

const FEW = 10;
const MANY = 1_000;
const TEXT = "x".repeat(4096);

/** The messages of a long session on their way to a model, while no extension wants to see them. */
export async function* contextCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("context, no handler");
  const paths = writeExtensions(folder, 50);
  const seam = await seamWith(paths, folder);
  const pi = await piWith(paths, folder);
  const few = messages(FEW);
  const many = messages(MANY);
  await assertSame(seam, many);
  const series = await interleave(
    { few: () => inSeam(seam, few, 200), many: () => inSeam(seam, many, 200) },
    { rounds: 15, warmUps: 3 },
  );
  const piSeries = await interleave(
    { few: () => inPi(pi, few, 20), many: () => inPi(pi, many, 1) },
    { rounds: 5, warmUps: 1 },
  );
  yield atMost({
    name: `context with ${MANY.toLocaleString("en-US")} messages of 4 KB and no handler`,
    value: ratio(series.many, series.few),
    bar: 1.5,
    unit: `times as long as with ${FEW}`,
    detail: [
      ...medians({ [`Seam, ${FEW}`]: series.few, [`Seam, ${MANY}`]: series.many }, "ns"),
      ...medians({ [`Pi, ${FEW}`]: piSeries.few, [`Pi, ${MANY}`]: piSeries.many }, "ns"),
    ],
  });
}

function messages(count: number): AgentMessage[] {
  return Array.from({ length: count }, (_, timestamp) => ({
    role: "user",
    content: [{ type: "text", text: TEXT + timestamp }],
    timestamp,
  }));
}

/** Fast and wrong does not count: the very messages that went in have to come out. */
async function assertSame(seam: Dispatcher, sent: AgentMessage[]): Promise<void> {
  const { event } = await seam.emit({ type: "context", messages: sent });
  if (event.messages !== sent) throw new Error("The messages were copied.");
}

function inSeam(seam: Dispatcher, sent: AgentMessage[], batch: number): Promise<number> {
  return nanosPerCall(batch, async (times) => {
    for (let i = 0; i < times; i++) await seam.emit({ type: "context", messages: sent });
  });
}

function inPi(pi: PiRunner, sent: AgentMessage[], batch: number): Promise<number> {
  return nanosPerCall(batch, async (times) => {
    for (let i = 0; i < times; i++) await pi.emitContext(sent);
  });
}
