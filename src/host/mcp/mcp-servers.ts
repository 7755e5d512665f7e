import { messageOf } from "../../errors/index.ts";
import type { RegisteredMcpServer } from "../../extensions/index.ts";
import { sleep } from "../abortable.ts";
import type { Log } from "../core.ts";
import type { Emitter } from "../emitter.ts";
import type { ToolTable } from "../tools/tool-table.ts";
import type { McpConnection } from "./mcp-connection.ts";

interface Surroundings {
  readonly cwd: string;
  readonly tools: ToolTable;
  readonly emitter: Emitter;
  readonly log: Log;
}

/** One server: what it was registered with, and its connection once there is one. */
interface Served {
  readonly key: string;
  readonly opening: Promise<McpConnection | undefined>;
  connection?: McpConnection;
  /** It answered, or will not. */
  isSettled: boolean;
}

/** Longer than this a prompt does not wait for servers; their tools come when they come. */
const LONGEST_WAIT_MS = 10_000;

/** The MCP servers that extensions of a session registered: connected, and their tools offered. */
export class McpServers {
  readonly #around: Surroundings;
  readonly #served = new Map<string, Served>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Connects those that are new or changed, and closes those that are gone. */
  change(servers: readonly RegisteredMcpServer[]): void {
    const wanted = servers.filter(({ config }) => config.enabled !== false);
    for (const [name, { key }] of this.#served) {
      if (!wanted.some((one) => one.name === name && keyOf(one) === key)) this.#close(name);
    }
    for (const server of wanted) if (!this.#served.has(server.name)) this.#open(server);
  }

  /**
   * Resolves when every server is connected or has failed, so that its tools are there, or when that
   * takes too long. Undefined if there is nothing to wait for.
   */
  settled(signal: AbortSignal): Promise<void> | undefined {
    const opening = [...this.#served.values()].filter((one) => !one.isSettled);
    if (opening.length === 0) return undefined;
    const all = Promise.all(opening.map((one) => one.opening)).then(() => {});
    return Promise.race([all, sleep(LONGEST_WAIT_MS, signal).catch(() => {})]);
  }

  /** What the servers say about their use, for the system prompt. */
  instructions(): string | undefined {
    const texts = [...this.#served].flatMap(([name, { connection }]) =>
      connection?.instructions ? [`# MCP server ${name}\n\n${connection.instructions}`] : [],
    );
    return texts.length === 0 ? undefined : texts.join("\n\n");
  }

  /** The session is over. */
  async closeAll(): Promise<void> {
    const open = [...this.#served.values()];
    for (const name of [...this.#served.keys()]) this.#close(name);
    await Promise.all(open.map(({ opening }) => opening));
  }

  #open(server: RegisteredMcpServer): void {
    const { name } = server;
    const { tools, emitter, log, cwd } = this.#around;
    const opening = this.#connect(server, cwd);
    const served: Served = { key: keyOf(server), opening, isSettled: false };
    this.#served.set(name, served);
    void opening.then((connection) => {
      served.isSettled = true;
      if (!connection) return;
      if (this.#served.get(name) !== served) {
        void connection.close();
        return;
      }
      served.connection = connection;
      tools.serve(name, connection.tools);
      connection.onTools((now) => {
        if (this.#served.get(name) === served) tools.serve(name, now);
      });
      connection.onNotification((method, params) => {
        emitter.emit({ type: "mcp_notification", server: name, method, params });
      });
      connection.onClose(() => {
        if (this.#served.get(name) !== served) return;
        tools.serve(name, []);
        log("warn", `The MCP server ${name} ended.`);
      });
    });
  }

  async #connect(server: RegisteredMcpServer, cwd: string): Promise<McpConnection | undefined> {
    try {
      // The client is loaded with the first server there is.
      const { connectMcp } = await import("./mcp-connection.ts");
      return await connectMcp(server, cwd);
    } catch (thrown) {
      const text = messageOf(thrown);
      this.#around.log("warn", `The MCP server ${server.name} cannot be reached: ${text}`);
      return undefined;
    }
  }

  #close(name: string): void {
    const served = this.#served.get(name);
    this.#served.delete(name);
    this.#around.tools.serve(name, []);
    void served?.connection?.close();
  }
}

function keyOf({ config }: RegisteredMcpServer): string {
  return JSON.stringify(config);
}
