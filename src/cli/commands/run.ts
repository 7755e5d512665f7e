import { type SeamError, usageError } from "../../errors/index.ts";
import { describeProblem, type Source } from "../../extensions/index.ts";
import {
  createAgent,
  type EmbeddedAgent,
  JsonMode,
  jsonLine,
  RpcUI,
  runRpc,
  takeStdout,
} from "../../host/index.ts";
import { agentOptions } from "../run/agent-options.ts";
import { checkChoice, levelOf, modeOf } from "../run/check-options.ts";
import { type Dialect, SEAM } from "../run/dialect.ts";
import { endOnSignals } from "../run/end-on-signals.ts";
import { extensionsFor, refuseWithoutNamed } from "../run/find-extensions.ts";
import { parseFlags } from "../run/flags.ts";
import { inboxUI } from "../run/inbox-ui.ts";
import { leaveOut } from "../run/leave-out.ts";
import { pipedText, promptsOf } from "../run/prompts.ts";
import type { RunOptions } from "../run/run-options.ts";
import { textOutput } from "../run/text-output.ts";
import { warn } from "../run/warn.ts";

/** A run without a screen. `extra`: what is no option of Seam's, and may be one of an extension. */
export async function run(
  options: RunOptions,
  extra: readonly string[],
  dialect: Dialect = SEAM,
): Promise<void> {
  const cwd = process.cwd();
  const mode = modeOf(options.mode);
  if (options.thinking !== undefined) levelOf(options.thinking);
  checkChoice(options);
  const given = typeof options.print === "string" ? [options.print] : [];
  const waitsForStdin = given[0] === "-";
  // Which words are prompts, only the extensions can say: one may be the value of their option.
  const hasWords = !waitsForStdin && (given.length > 0 || extra.some((word) => !/^-./.test(word)));
  if (mode !== "rpc" && given[0]?.trim() === "") throw usageError("The prompt is empty.", SAY_IT);
  const piped = mode === "rpc" ? "" : await pipedText(hasWords, warn);
  if (mode !== "rpc" && !hasWords && piped === "") throw nothingToDo(options, waitsForStdin);
  const stdout = mode === "text" ? undefined : takeStdout();
  const send = (message: unknown) => stdout?.write(jsonLine(message));
  const rpcUI = mode === "rpc" ? new RpcUI(send) : undefined;
  const json =
    mode === "json" ? new JsonMode((line) => stdout?.write(line), dialect.shown) : undefined;
  const wanted = (sources: readonly Source[]) =>
    leaveOut(sources, { cwd, without: options.without ?? [], warn, ...(rpcUI && { asks: false }) });
  const found = await extensionsFor(cwd, options, warn, wanted);
  const asked = rpcUI ? undefined : inboxUI(cwd, () => agent.session.getSessionId(), notify);
  let words: readonly string[] = [];
  const agent: EmbeddedAgent = await createAgent({
    ...(await agentOptions(options, { cwd, warn, found })),
    mode: mode === "text" ? "print" : mode,
    unknownTools: dialect.unknownTools,
    flags: (set) => {
      refuseWithoutNamed(set, cwd, options.extension);
      for (const { problem } of set.failures) warn(describeProblem(problem));
      const parsed = parseFlags(set, extra);
      words = waitsForStdin ? parsed.words : [...given, ...parsed.words];
      return parsed.flags;
    },
    onLog: (level, text) => {
      if (level === "error" || level === "warn") warn(text);
    },
    ...(rpcUI ? { ui: rpcUI.ui } : asked),
    ...(json && { onEvent: json.take }),
  });
  const stopListening = endOnSignals(agent);
  try {
    const prompts = promptsOf(words, piped, cwd);
    let ok = true;
    if (rpcUI) await runRpc(agent, rpcUI, process.stdin, send, dialect.shown);
    else if (prompts.length === 0) throw nothingToDo(options, waitsForStdin);
    else if (json) ok = await json.run(agent, prompts);
    else ok = await dialect.print(agent, prompts, textOutput(warn));
    if (!ok) process.exitCode = 1;
  } finally {
    await agent.dispose();
    stopListening();
    await stdout?.flushed();
  }
}

const SAY_IT = 'Write it after -p, in quotes: seam run -p "Why does the build fail?"';

function nothingToDo({ print }: RunOptions, waitsForStdin: boolean): SeamError {
  if (waitsForStdin)
    return usageError("The prompt is empty.", "Send the prompt to stdin, or write it after -p.");
  if (print === undefined) {
    return usageError("There is no terminal to open here.", 'Use -p "your prompt", or --mode rpc.');
  }
  return usageError("-p needs a prompt.", SAY_IT);
}

/** What an extension has to say where nobody can look at a screen: the answer of a command, mostly. */
function notify(message: string): void {
  process.stderr.write(`${message}\n`);
}
