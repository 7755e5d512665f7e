import { closeSync, mkdtempSync, openSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { bareLoop } from "./bare-loop.ts";
import { host, tools } from "./seam.ts";
import { messagesAfter, PROMPT, projectIn, scriptOf } from "./turns.ts";

const ROUNDS = 100;

/** What events, checks, abort and the session tree add to the least an agent has to do. */
export async function* loopCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say(`${ROUNDS} rounds in a loop`);
  const cwd = projectIn(folder);
  const series = await interleave(
    { Seam: () => inSeam(cwd, folder), "bare loop": () => bare(cwd, folder) },
    { rounds: 80, warmUps: 10 },
  );
  yield atMost({
    name: `${ROUNDS} rounds of an answer and a tool call, no extensions`,
    value: pairedRatio(series.Seam, series["bare loop"]),
    bar: 1.3,
    unit: "times as long as a bare loop",
    detail: medians(series, "ms"),
  });
}

async function inSeam(cwd: string, folder: string): Promise<number> {
  const session = host.SessionFile.create({ cwd, dir: mkdtempSync(join(folder, "seam-")) });
  const models = host.scriptedModels(scriptOf(ROUNDS));
  const agent = await host.createAgent({ cwd, models, model: "scripted/script", session });
  const startedAt = performance.now();
  await agent.prompt(PROMPT);
  const ms = performance.now() - startedAt;
  assertComplete("Seam", session.buildContext().messages.length);
  await agent.dispose();
  return ms;
}

async function bare(cwd: string, folder: string): Promise<number> {
  const fd = openSync(join(mkdtempSync(join(folder, "bare-")), "session.jsonl"), "wx");
  const models = host.scriptedModels(scriptOf(ROUNDS));
  const model = models.resolve("scripted/script");
  const { signal } = new AbortController();
  const loop = { models, model, tools: tools.createCodingTools(cwd), fd, signal };
  const startedAt = performance.now();
  const messages = await bareLoop(loop, PROMPT);
  const ms = performance.now() - startedAt;
  assertComplete("The bare loop", messages.length);
  closeSync(fd);
  return ms;
}

/** Fast and wrong does not count. */
function assertComplete(who: string, messages: number): void {
  if (messages !== messagesAfter(ROUNDS)) throw new Error(`${who} has ${messages} messages.`);
}
