import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type {
  AskedDialog,
  DaemonService,
  ServiceSurroundings,
  StartService,
} from "../daemon/index.ts";
import { messageOf } from "../errors/index.ts";
import { builtFile } from "../settings/index.ts";
import {
  beganLine,
  type FromMcpThread,
  type Granted,
  MCP_PATH,
  type RequestId,
  type ServedTool,
  type ToMcpThread,
  type Wish,
} from "./protocol.ts";

/** A client's connection. */
interface Client {
  readonly cwd: string;
  readonly response: ServerResponse;
  /** What it waits for, by the number of the wish. */
  readonly underWay: Map<number, UnderWay>;
  stopFollowing?: () => void;
}

interface UnderWay {
  readonly abort: AbortController;
  /** Questions of what is called that wait for the client's user, by their numbers. */
  readonly asked: Map<number, (value: string | undefined) => void>;
}

type WishMessage = Extract<FromMcpThread, { say: "wish" }>;

/** A daemon that ends waits so long for calls that are under way. */
const LAST_CALLS_MS = 4_000;
const LOOK_MS = 20;

/** What Seam is for clients of MCP. `tools`: those of its own that other rooms bring. */
export function mcpService(tools: readonly ServedTool[] = []): StartService {
  return (daemon) => new McpService(daemon, tools);
}

class McpService implements DaemonService {
  readonly name = "mcp";
  readonly routes = {
    [`POST ${MCP_PATH}`]: (request: IncomingMessage, url: URL, response: ServerResponse) =>
      this.#open(request, url, response),
  };
  readonly #daemon: ServiceSurroundings;
  readonly #tools: ReadonlyMap<string, ServedTool>;
  readonly #clients = new Map<number, Client>();
  #thread: Worker | undefined;
  #last = 0;
  #isEnding = false;

  constructor(daemon: ServiceSurroundings, tools: readonly ServedTool[]) {
    this.#daemon = daemon;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  isBusy(): boolean {
    return [...this.#clients.values()].some(({ underWay }) => underWay.size > 0);
  }

  status(): Record<string, unknown> {
    const clients = [...this.#clients.values()];
    const calls = clients.reduce((sum, { underWay }) => sum + underWay.size, 0);
    return { clients: clients.length, calls };
  }

  /** Calls that are under way may end; the pipes of all others find the next daemon. */
  async close(): Promise<void> {
    this.#isEnding = true;
    for (const client of this.#clients.values()) this.#endIfIdle(client);
    const deadline = Date.now() + LAST_CALLS_MS;
    while (this.#clients.size > 0 && Date.now() < deadline) await sleep(LOOK_MS);
    for (const { response } of this.#clients.values()) response.destroy();
    await this.#thread?.terminate();
  }

  #open(request: IncomingMessage, { searchParams }: URL, response: ServerResponse): void {
    const number = ++this.#last;
    const cwd = searchParams.get("cwd") ?? process.cwd();
    const pid = Number(searchParams.get("pid"));
    const client: Client = { cwd, response, underWay: new Map() };
    this.#clients.set(number, client);
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.flushHeaders();
    const isMember = this.#daemon.grants.working([pid], cwd) !== undefined;
    const unfit = isMember ? "others" : "members of a crew";
    const tools = [...this.#tools.values()].flatMap(({ run: _, offeredTo, ...info }) =>
      offeredTo === unfit ? [] : [info],
    );
    this.#post({ do: "open", client: number, pid, cwd, tools });
    request.on("data", (bytes: Buffer) => this.#post({ do: "bytes", client: number, bytes }));
    request.on("end", () => response.end());
    response.on("close", () => this.#close(number, client));
  }

  /** It is gone, or the daemon goes. What it waited for is given up. */
  #close(number: number, client: Client): void {
    if (!this.#clients.delete(number)) return;
    client.stopFollowing?.();
    for (const { abort } of client.underWay.values()) abort.abort();
    this.#post({ do: "close", client: number });
  }

  #post(message: ToMcpThread): void {
    this.#thread ??= this.#startThread();
    this.#thread.postMessage(message);
  }

  #startThread(): Worker {
    const thread = new Worker(builtFile("bin/mcp-thread.js"), { stdout: true, stderr: true });
    const over = (why: string) => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#daemon.log.warn(`the thread that speaks MCP ended: ${why}`);
      // Their pipes call again, and find another thread.
      for (const { response } of this.#clients.values()) response.destroy();
    };
    thread.on("message", (message: FromMcpThread) => this.#hear(message));
    thread.on("error", (error) => over(messageOf(error)));
    thread.on("exit", (code) => over(`code ${code}`));
    for (const stream of [thread.stdout, thread.stderr]) {
      stream.on("data", (data: Buffer) => this.#daemon.log.info(`MCP: ${data.toString().trim()}`));
    }
    // It does not keep the daemon from ending.
    thread.unref();
    return thread;
  }

  #hear(message: FromMcpThread): void {
    if (message.say === "log") {
      this.#daemon.log.write("debug", `MCP: ${message.text}`);
    } else if (message.say === "wish") {
      void this.#grant(message);
    } else if (message.say === "abandon") {
      this.#underWay(message.id)?.abort.abort();
    } else if (message.say === "answer") {
      this.#underWay(message.id)?.asked.get(message.dialog)?.(message.value);
    } else {
      const response = this.#clients.get(message.client)?.response;
      if (message.say === "write") response?.write(message.text);
      else response?.end();
    }
  }

  #underWay(id: number): UnderWay | undefined {
    for (const { underWay } of this.#clients.values()) {
      const found = underWay.get(id);
      if (found) return found;
    }
    return undefined;
  }

  async #grant(message: WishMessage): Promise<void> {
    const { id, wish } = message;
    const client = this.#clients.get(message.client);
    if (!client) return;
    const underWay: UnderWay = { abort: new AbortController(), asked: new Map() };
    client.underWay.set(id, underWay);
    let granted: Granted;
    try {
      granted = await this.#do(wish, client, message, underWay);
    } catch (error) {
      this.#daemon.log.failed(`MCP: ${wish.kind} failed`, error);
      granted = failed(messageOf(error));
    }
    this.#post({ do: "grant", id, granted });
    // The answer goes out by way of the thread.
    setImmediate(() => {
      client.underWay.delete(id);
      if (this.#isEnding) setTimeout(() => this.#endIfIdle(client), 50);
    });
  }

  async #do(
    wish: Wish,
    client: Client,
    { id, client: number, processes }: WishMessage,
    underWay: UnderWay,
  ): Promise<Granted> {
    const { calls } = this.#daemon;
    const place = { cwd: client.cwd, processes };
    if (wish.kind === "offers") {
      client.stopFollowing?.();
      const offers = await calls.offers(place);
      client.stopFollowing = calls.follow(place, () =>
        this.#post({ do: "changed", client: number }),
      );
      return { offers };
    }
    if (wish.kind === "served") return this.#serve(wish, place);
    await began(client.response, wish.request);
    const progress = (text: string) => this.#post({ do: "progress", id, text });
    const call =
      wish.kind === "tool"
        ? { tool: wish.name, params: wish.params }
        : { command: wish.name, args: wish.args };
    const ask = (dialog: AskedDialog, signal: AbortSignal) =>
      this.#ask(id, underWay, dialog, signal);
    const { signal } = underWay.abort;
    const options = { progress, signal, ...(wish.canAsk && { ask }) };
    return { end: await calls.call(place, call, options) };
  }

  /** Puts a question to the client's user. Undefined if nobody answers. */
  #ask(
    id: number,
    { asked }: UnderWay,
    dialog: AskedDialog,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    return new Promise((resolve) => {
      const settle = (value?: string) => {
        asked.delete(dialog.id);
        signal.removeEventListener("abort", giveUp);
        resolve(value);
      };
      const giveUp = () => settle();
      signal.addEventListener("abort", giveUp, { once: true });
      asked.set(dialog.id, settle);
      this.#post({ do: "ask", id, dialog });
    });
  }

  async #serve(
    { name, params }: Extract<Wish, { kind: "served" }>,
    { cwd, processes }: { readonly cwd: string; readonly processes: readonly number[] },
  ): Promise<Granted> {
    try {
      const attempt = this.#daemon.grants.working(processes, cwd)?.id;
      const place = { cwd, ...(attempt !== undefined && { attempt }) };
      const text = await this.#tools.get(name)?.run(params, place);
      return text === undefined
        ? failed(`There is no tool "${name}".`)
        : { end: { content: [{ type: "text", text }], isError: false } };
    } catch (error) {
      return failed(messageOf(error));
    }
  }

  #endIfIdle({ underWay, response }: Client): void {
    if (underWay.size === 0) response.end();
  }
}

/** Resolves when the pipe has it, or is gone. */
function began(response: ServerResponse, id: RequestId): Promise<void> {
  return new Promise((resolve) => {
    response.write(beganLine(id), () => resolve());
  });
}

function failed(text: string): Granted {
  return { end: { content: [{ type: "text", text }], isError: true } };
}
