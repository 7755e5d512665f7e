import { text } from "node:stream/consumers";
import { SeamError } from "../../errors/index.ts";
import { describeProblem, type Source } from "../../extensions/index.ts";
import {
  createAgent,
  type EmbeddedAgent,
  JsonMode,
  jsonLine,
  RpcUI,
  runRpc,
  runText,
  takeStdout,
} from "../../host/index.ts";
import { agentOptions } from "../run/agent-options.ts";
import { checkChoice, levelOf, modeOf } from "../run/check-options.ts";
import { endOnSignals } from "../run/end-on-signals.ts";
import { extensionsFor, refuseWithoutNamed } from "../run/find-extensions.ts";
import { parseFlags } from "../run/flags.ts";
import { inboxUI } from "../run/inbox-ui.ts";
import { leaveOut } from "../run/leave-out.ts";
import type { RunOptions } from "../run/run-options.ts";
import { textOutput } from "../run/text-output.ts";
import { warn } from "../run/warn.ts";

export async function run(options: RunOptions, extra: readonly string[]): Promise<void> {
  const cwd = process.cwd();
  const mode = modeOf(options.mode);
  if (options.thinking !== undefined) levelOf(options.thinking);
  checkChoice(options);
  // A bare -p takes the words that stand by themselves, as Pi's does. Which these are, only the
  // extensions can say.
  const isBare = options.print === true && extra.some((word) => !word.startsWith("-"));
  let prompt = await promptOf(options.print);
  if (mode !== "rpc" && options.print === true && !isBare) throw wrong("-p needs a prompt.");
  if (mode !== "rpc" && prompt === undefined && !isBare) {
    throw wrong('There is no terminal to open here. Use -p "your prompt", or --mode rpc.');
  }
  if (mode !== "rpc" && prompt?.trim() === "") throw wrong("The prompt is empty.");
  const stdout = mode === "text" ? undefined : takeStdout();
  const send = (message: unknown) => stdout?.write(jsonLine(message));
  const rpcUI = mode === "rpc" ? new RpcUI(send) : undefined;
  const json = mode === "json" ? new JsonMode((line) => stdout?.write(line)) : undefined;
  const wanted = (sources: readonly Source[]) =>
    leaveOut(sources, { cwd, without: options.without ?? [], warn, ...(rpcUI && { asks: false }) });
  const found = options.extensions ? await extensionsFor(cwd, options.extension, warn, wanted) : [];
  const asked = rpcUI ? undefined : inboxUI(cwd, () => agent.session.getSessionId());
  const agent: EmbeddedAgent = await createAgent({
    ...(await agentOptions(options, { cwd, warn, found })),
    mode: mode === "text" ? "print" : mode,
    flags: (set) => {
      refuseWithoutNamed(set, cwd, options.extension);
      for (const { problem } of set.failures) warn(describeProblem(problem));
      const { flags, words } = parseFlags(set, extra);
      if (isBare) prompt = words.join(" ");
      else if (words.length > 0) throw wrong(`"${words[0]}" was not expected. Use -p "…".`);
      if (isBare && prompt === "") throw wrong("-p needs a prompt.");
      return flags;
    },
    onLog: (level, text) => {
      if (level === "error" || level === "warn") warn(text);
    },
    ...(rpcUI ? { ui: rpcUI.ui } : asked),
    ...(json && { onEvent: json.take }),
  });
  const stopListening = endOnSignals(agent);
  try {
    let ok = true;
    if (rpcUI) await runRpc(agent, rpcUI, process.stdin, send);
    else if (json) ok = await json.run(agent, prompt ?? "");
    else ok = await runText(agent, prompt ?? "", textOutput(warn));
    if (!ok) process.exitCode = 1;
  } finally {
    await agent.dispose();
    stopListening();
    await stdout?.flushed();
  }
}

const wrong = (detail: string) => new SeamError("SEAM_USAGE", { detail });

async function promptOf(given: string | true | undefined): Promise<string | undefined> {
  if (given === "-") return text(process.stdin);
  return given === true ? undefined : given;
}
