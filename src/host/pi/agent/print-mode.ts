import { jsonLine, RpcUI, runRpc } from "../../modes/index.ts";
import type { AgentSession } from "./agent-session.ts";
import type { AgentSessionRuntime } from "./session-services.ts";

interface PrintOptions {
  readonly mode: "text" | "json";
  readonly messages?: readonly string[];
  readonly initialMessage?: string;
}

/** Prompts a session and prints its answers, or all its events. Returns what a program exits with. */
export async function runPrintMode(
  of: AgentSession | AgentSessionRuntime,
  { mode, messages = [], initialMessage }: PrintOptions,
): Promise<number> {
  const session = "session" in of ? of.session : of;
  const end =
    mode === "json"
      ? session.subscribe((event) => process.stdout.write(jsonLine(event)))
      : () => {};
  try {
    for (const text of [...(initialMessage === undefined ? [] : [initialMessage]), ...messages])
      await session.prompt(text);
  } finally {
    end();
  }
  const last = session.messages.findLast(({ role }) => role === "assistant");
  if (
    last?.role === "assistant" &&
    (last.stopReason === "error" || last.stopReason === "aborted")
  ) {
    process.stderr.write(`${last.errorMessage ?? "The answer was interrupted."}\n`);
    return 1;
  }
  const text = session.getLastAssistantText();
  if (mode === "text" && text !== undefined) process.stdout.write(`${text}\n`);
  return 0;
}

/** Lets another program lead a session, in lines of JSON on standard input and output. */
export async function runRpcMode(of: AgentSession | AgentSessionRuntime): Promise<void> {
  const session = "session" in of ? of.session : of;
  const send = (message: unknown) => void process.stdout.write(jsonLine(message));
  const rpcUI = new RpcUI(send);
  await session.bindExtensions({ uiContext: rpcUI.ui });
  await session.serve((agent) => runRpc(agent, rpcUI, process.stdin, send));
}
