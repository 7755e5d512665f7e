import { createInterface } from "node:readline/promises";
import { runText } from "../../host/index.ts";
import { printLine } from "../print.ts";
import { plainText } from "../record/format.ts";
import { checkChoice } from "./check-options.ts";
import { endOnSignals } from "./end-on-signals.ts";
import { inboxUI } from "./inbox-ui.ts";
import type { RunOptions } from "./run-options.ts";
import { startAgent } from "./start-agent.ts";
import { textOutput } from "./text-output.ts";
import { warn } from "./warn.ts";

/** A conversation on a terminal that can draw no screen: a line in, the answer out. */
export async function runPlainTalk(options: RunOptions, extra: readonly string[]): Promise<void> {
  checkChoice(options);
  const cwd = process.cwd();
  const { ui } = inboxUI(cwd, () => agent.session.getSessionId(), warn);
  const onLog = (level: string, text: string) => {
    if (level === "error" || level === "warn") warn(text);
  };
  const { agent, prompts } = await startAgent(options, extra, cwd, {
    ui,
    onEvent: () => {},
    onLog,
  });
  const stopListening = endOnSignals(agent);
  const { out, ...output } = textOutput(warn);
  // What a model says is text, whatever is in it.
  const safe = { ...output, out: (text: string) => out(plainText(text)) };
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  printLine("This terminal can draw no screen, so it is lines only. An empty line ends it.");
  try {
    for (const prompt of prompts) await runText(agent, prompt, safe);
    for (;;) {
      const prompt = await lines.question("> ").catch(() => "");
      if (prompt.trim() === "" || agent.shutdownRequested) return;
      await runText(agent, { text: prompt }, safe);
    }
  } finally {
    lines.close();
    await agent.dispose();
    stopListening();
  }
}
