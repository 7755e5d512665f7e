import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../errors/index.ts";
import { nearest, type SeamEvent } from "../../events/index.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";
import { jsonEvent } from "./json-event.ts";
import { lines } from "./lines.ts";
import { RPC_COMMANDS } from "./rpc-commands.ts";
import type { RpcUI } from "./rpc-ui.ts";

/** A command that never ends must not keep the program from ending. */
const LAST_ANSWERS_MS = 5_000;

type Fields = Readonly<Record<string, unknown>>;

/** Commands come in, events and answers go out, a line of JSON each, until the input ends. */
export async function runRpc(
  agent: EmbeddedAgent,
  rpcUI: RpcUI,
  input: AsyncIterable<Buffer | string> & { destroy?(): void },
  send: (message: unknown) => void,
  shown: (event: SeamEvent) => unknown = jsonEvent,
): Promise<void> {
  const answering = new Set<Promise<void>>();
  const unsubscribe = agent.subscribe((event) => {
    const told = shown(event);
    if (told !== undefined) send(told);
    // A tool asked for the end: the client may have nothing more to say, and keep the pipe open.
    if (event.type === "agent_settled" && agent.shutdownRequested) input.destroy?.();
  });
  // Not before the reader waits for the next line: an extension that never gives the thread back
  // takes along everything that is at work at that moment.
  const handle = async (message: Fields) => {
    await nextTurn();
    if (message.type === "extension_ui_response") rpcUI.answer(message);
    else send(await answer(agent, message));
    if (agent.shutdownRequested) input.destroy?.();
  };
  try {
    for await (const line of lines(input)) {
      if (line.trim() === "") continue;
      const message = parse(line);
      if (!message) {
        send({ type: "response", command: "parse", success: false, error: "Not a JSON object." });
      } else {
        // Not awaited: an abort must be heard while another command is at work.
        const answered = handle(message);
        answering.add(answered);
        void answered.finally(() => answering.delete(answered));
      }
      if (agent.shutdownRequested) break;
    }
  } catch (thrown) {
    if (!agent.shutdownRequested) throw thrown;
  } finally {
    rpcUI.close();
    await Promise.race([Promise.all(answering), sleep(LAST_ANSWERS_MS, undefined, { ref: false })]);
    await agent.waitForIdle();
    unsubscribe();
  }
}

async function answer(agent: EmbeddedAgent, message: Fields): Promise<unknown> {
  const command = String(message.type);
  const response = {
    ...(message.id !== undefined && { id: message.id }),
    type: "response",
    command,
  };
  const run = Object.hasOwn(RPC_COMMANDS, command) ? RPC_COMMANDS[command] : undefined;
  if (!run) {
    const close = nearest(command, Object.keys(RPC_COMMANDS));
    const hint = close ? ` Did you mean "${close}"?` : "";
    return { ...response, success: false, error: `There is no command "${command}".${hint}` };
  }
  try {
    const data: unknown = await run(agent, message);
    return { ...response, success: true, ...(data !== undefined && { data }) };
  } catch (thrown) {
    return { ...response, success: false, error: messageOf(thrown) };
  }
}

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}
