import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { piSession } from "./pi.ts";
import { host } from "./seam.ts";
import { messagesAfter, PROMPT, projectIn, scriptOf, textDeltasIn } from "./turns.ts";

const ROUNDS = 50;

/** What whoever shows the agent's work gets to see. */
interface Shown {
  readonly type: string;
  readonly assistantMessageEvent?: { readonly type: string };
}

/**
 * Both agents on one scripted model, in memory, each with its own tools. Pi's own faux provider
 * would not do: it counts the whole context anew for each answer, which is not the agent's work.
 */
export async function* piCases(folder: string, say: (text: string) => void): AsyncGenerator<Case> {
  say(`${ROUNDS} rounds beside Pi`);
  const cwd = projectIn(folder);
  const series = await interleave(
    { Seam: () => inSeam(cwd), Pi: () => inPi(cwd) },
    { rounds: 30, warmUps: 5 },
  );
  yield atMost({
    name: `${ROUNDS} rounds of an answer and a tool call`,
    value: pairedRatio(series.Seam, series.Pi),
    bar: 1,
    unit: "times as long as Pi",
    detail: medians(series, "ms"),
  });
}

async function inSeam(cwd: string): Promise<number> {
  const models = host.scriptedModels(scriptOf(ROUNDS));
  const agent = await host.createAgent({ cwd, models, model: "scripted/script" });
  const ms = await timed("Seam", agent);
  assertComplete("Seam", agent.session.buildContext().messages.length);
  await agent.dispose();
  return ms;
}

async function inPi(cwd: string): Promise<number> {
  const models = host.scriptedModels(scriptOf(ROUNDS));
  const session = await piSession(cwd, models, models.resolve("scripted/script"));
  const ms = await timed("Pi", session);
  assertComplete("Pi", session.messages.length);
  session.dispose();
  return ms;
}

interface PromptedAgent {
  prompt(text: string): Promise<void>;
  subscribe(listener: (event: Shown) => void): () => void;
}

/** Milliseconds until the agent is done. Both have to tell of every piece of every answer. */
async function timed(who: string, agent: PromptedAgent): Promise<number> {
  let deltas = 0;
  agent.subscribe((event) => {
    if (event.type !== "message_update") return;
    if (event.assistantMessageEvent?.type === "text_delta") deltas++;
  });
  const startedAt = performance.now();
  await agent.prompt(PROMPT);
  const ms = performance.now() - startedAt;
  if (deltas !== textDeltasIn(ROUNDS)) throw new Error(`${who} told of ${deltas} pieces of text.`);
  return ms;
}

function assertComplete(who: string, messages: number): void {
  if (messages !== messagesAfter(ROUNDS)) throw new Error(`${who} has ${messages} messages.`);
}
