import {
  CLIENT_CAPABILITIES_META_KEY,
  inputResponse,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  ReadBuffer,
  Server,
  type ServerContext,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { CallEnd, Offers } from "../../daemon/index.ts";
import { messageOf } from "../../errors/index.ts";
import { ancestorsOf } from "../../record/index.ts";
import { packageVersion } from "../../settings/index.ts";
import { isRecord } from "../../values/index.ts";
import type { FromMcpThread, ServedToolInfo, Wish } from "../protocol.ts";
import { COMMAND_TOOL, commandTool, promptOf, type ToolInfo, toolOf } from "./offered-tools.ts";
import { ANSWER, type CallStep, RunningCall } from "./running-call.ts";
import { SHOW_TOOL, show } from "./show.ts";
import type { Wishes } from "./wishes.ts";

interface Place {
  readonly pid: number;
  readonly cwd: string;
  readonly tools: readonly ServedToolInfo[];
}

interface Ways {
  readonly send: (message: FromMcpThread) => void;
  readonly wishes: Wishes;
}

/** One client, in whichever era of the protocol it speaks. */
export class Connection {
  readonly #client: number;
  readonly #place: Place;
  readonly #ways: Ways;
  readonly #buffer = new ReadBuffer();
  readonly #transport: Transport;
  readonly #stop: () => Promise<void>;
  #processes: readonly number[] | undefined;
  #server: Server | undefined;
  /** What runs, by what the client is given to come back with. */
  readonly #running = new Map<string, RunningCall>();

  constructor(client: number, place: Place, ways: Ways) {
    this.#client = client;
    this.#place = place;
    this.#ways = ways;
    this.#transport = {
      start: async () => {},
      send: async (message: JSONRPCMessage) =>
        ways.send({ say: "write", client, text: serializeMessage(message) }),
      close: async () => ways.send({ say: "end", client }),
    };
    const onerror = (error: Error) => ways.send({ say: "log", text: messageOf(error) });
    const { close } = serveStdio(() => this.#newServer(), { transport: this.#transport, onerror });
    this.#stop = close;
  }

  hear(bytes: Buffer): void {
    try {
      this.#buffer.append(bytes);
      for (let message = this.#next(); message; message = this.#next()) {
        this.#transport.onmessage?.(message);
      }
    } catch (error) {
      // A line without end: whatever comes after it cannot be understood.
      this.#ways.send({ say: "log", text: messageOf(error) });
      this.#ways.send({ say: "end", client: this.#client });
    }
  }

  /** What is no message is left out, and said so in the log. */
  #next(): JSONRPCMessage | null {
    for (;;) {
      try {
        return this.#buffer.readMessage();
      } catch (error) {
        this.#ways.send({ say: "log", text: messageOf(error) });
      }
    }
  }

  changed(): void {
    void this.#server?.sendToolListChanged().catch(() => {});
    void this.#server?.sendPromptListChanged().catch(() => {});
  }

  async close(): Promise<void> {
    for (const call of this.#running.values()) call.giveUp();
    this.#transport.onclose?.();
    await this.#stop();
  }

  #newServer(): Server {
    const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true } };
    const server = new Server({ name: "seam", version: packageVersion() }, { capabilities });
    server.setRequestHandler("tools/list", async () => ({
      tools: [...(await this.#tools()).values()],
    }));
    server.setRequestHandler("tools/call", ({ params }, context) =>
      this.#call(params.name, params.arguments ?? {}, context),
    );
    server.setRequestHandler("prompts/list", async () => ({
      prompts: (await this.#offers()).commands.map(promptOf),
    }));
    server.setRequestHandler("prompts/get", async ({ params }, context) => {
      const { commands } = await this.#offers();
      const command = commands.find(({ name }) => name === params.name);
      if (!command) throw unknown(`There is no prompt "${params.name}".`);
      const step = await this.#runCommand(command.name, params.arguments?.args, context);
      if (!("end" in step)) return step.question;
      const { content, isError } = step.end;
      const [text] = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
      if (isError) throw new ProtocolError(ProtocolErrorCode.InternalError, text ?? "It failed.");
      return {
        ...(command.description !== undefined && { description: command.description }),
        messages: content.map((block) => ({ role: "user" as const, content: block })),
      };
    });
    this.#server = server;
    return server;
  }

  /** By name. An extension's tool takes the place of Seam's own, as in Seam's own agent. */
  async #tools(): Promise<Map<string, ToolInfo>> {
    const { tools, commands } = await this.#offers();
    const own = [
      SHOW_TOOL,
      ...this.#place.tools,
      ...(commands.length > 0 ? [commandTool(commands)] : []),
    ].map((tool) => toolOf({ ...tool, isReadOnly: tool.name !== COMMAND_TOOL }));
    return new Map([...own, ...tools.map(toolOf)].map((tool) => [tool.name, tool]));
  }

  async #call(name: string, params: Record<string, unknown>, context: ServerContext) {
    const { tools } = await this.#offers();
    const more = { request: context.mcpReq.id, canAsk: this.#canAsk(context) };
    if (tools.some((tool) => tool.name === name)) {
      return resultOf(await this.#run({ kind: "tool", name, params, ...more }, context));
    }
    if (name === COMMAND_TOOL) {
      return resultOf(await this.#runCommand(params.command, params.args, context));
    }
    if (name === SHOW_TOOL.name) return textResult(show(params, this.#place));
    if (this.#place.tools.some((tool) => tool.name === name)) {
      return resultOf(await this.#run({ kind: "served", name, params }, context));
    }
    throw unknown(`There is no tool "${name}".`);
  }

  #runCommand(command: unknown, args: unknown, context: ServerContext): Promise<CallStep> {
    const name = String(command ?? "").replace(/^\//, "");
    const more = { request: context.mcpReq.id, canAsk: this.#canAsk(context) };
    return this.#run({ kind: "command", name, args: String(args ?? ""), ...more }, context);
  }

  /** Runs something to its end, or until the client's user is asked something. */
  async #run(wish: Wish, context: ServerContext): Promise<CallStep> {
    const { mcpReq } = context;
    const token = mcpReq.requestState();
    const known = this.#running.get(String(token));
    if (token !== undefined && !known) return { end: failed(FORGOTTEN) };
    const call = known ?? this.#begin(wish);
    if (known) known.answer(inputResponse(mcpReq.inputResponses, ANSWER));
    call.serve(mcpReq);
    const step = await call.next();
    if ("end" in step) this.#running.delete(call.token);
    return step;
  }

  #begin(wish: Wish): RunningCall {
    const call = new RunningCall();
    this.#running.set(call.token, call);
    void this.#make(wish, call).then((granted) =>
      call.ended("end" in granted ? granted.end : failed("This was not asked for.")),
    );
    return call;
  }

  /** Whether the client can put a question to its user. Each era says so elsewhere. */
  #canAsk({ mcpReq }: ServerContext): boolean {
    const envelope: unknown = mcpReq.envelope;
    const said = isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
    const declared: unknown = said ?? this.#server?.getClientCapabilities();
    const elicitation = isRecord(declared) ? declared.elicitation : undefined;
    if (!isRecord(elicitation)) return false;
    return Object.keys(elicitation).length === 0 || elicitation.form !== undefined;
  }

  async #offers(): Promise<Offers> {
    const granted = await this.#make({ kind: "offers" });
    return "offers" in granted ? granted.offers : { tools: [], commands: [] };
  }

  #make(wish: Wish, call?: RunningCall) {
    const { pid } = this.#place;
    this.#processes ??= ancestorsOf(pid).map((one) => one.pid);
    const [client, processes] = [this.#client, this.#processes];
    const meanwhile = call && { signal: call.signal, meanwhile: call };
    return this.#ways.wishes.make(wish, { client, processes, ...meanwhile });
  }
}

const FORGOTTEN = "Whoever asked this does not know of it any more. Call the tool again.";

function unknown(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function failed(text: string): CallEnd {
  return { content: [{ type: "text", text }], isError: true };
}

function resultOf(step: CallStep) {
  if (!("end" in step)) return step.question;
  const { content, isError } = step.end;
  return { content: [...content], ...(isError && { isError }) };
}

async function textResult(said: Promise<string>) {
  try {
    return { content: [{ type: "text" as const, text: await said }] };
  } catch (error) {
    return { content: [{ type: "text" as const, text: messageOf(error) }], isError: true };
  }
}
