import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ScriptedTurn } from "../models/index.ts";
import { until } from "./returns.ts";

export type Message = { readonly type?: unknown; readonly [field: string]: unknown };

/** Built before the first test: to compile all that it imports takes longer than most tests. */
const BUILT = new URL("../../../node_modules/.cache/agentseam/built/", import.meta.url);
const AGENT = fileURLToPath(new URL("host/test-kit/rpc-agent.js", BUILT));

/** The agent of rpc-agent.ts in a process of its own, and both ends of its pipes. */
export class RpcClient {
  readonly process: ChildProcessWithoutNullStreams;
  errors = "";
  #output = "";
  #count = 0;

  constructor(turns: readonly ScriptedTurn[], cwd: string, home: string, more: object = {}) {
    const args = [AGENT, JSON.stringify(turns)];
    this.process = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, SEAM_HOME: home, ...more },
    });
    this.process.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
    });
    this.process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.errors += text;
    });
  }

  /** Everything it said. Throws if a line is not JSON. */
  get said(): Message[] {
    const lines = this.#output.split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  /** Sends a command and waits for the answer to it. */
  async ask(command: Message): Promise<Message> {
    const id = `request-${++this.#count}`;
    this.write(`${JSON.stringify({ id, ...command })}\n`);
    return this.find(`the answer to ${String(command.type)}`, (one) => one.id === id);
  }

  write(text: string): void {
    this.process.stdin.write(text);
  }

  send(message: Message): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** The first message like this, now or later. */
  async find(what: string, isIt: (message: Message) => boolean, after = 0): Promise<Message> {
    let found: Message | undefined;
    await until(`${what} ${this.errors}`, () => {
      found = this.said.slice(after).find(isIt);
      return found !== undefined || this.process.exitCode !== null;
    });
    if (!found) throw new Error(`It ended without ${what}: ${this.errors}`);
    return found;
  }

  /** A request of the extension's for the user interface. */
  request(method: string, after = 0): Promise<Message> {
    return this.find(
      `a request for ${method}`,
      (one) => one.type === "extension_ui_request" && one.method === method,
      after,
    );
  }

  /** Ends its input; the code it leaves with. */
  async end(): Promise<number | null> {
    if (this.process.exitCode !== null) return this.process.exitCode;
    const closed = once(this.process, "close");
    this.process.stdin.end();
    await closed;
    return this.process.exitCode;
  }
}
