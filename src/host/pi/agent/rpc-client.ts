import { type ChildProcess, spawn } from "node:child_process";
import { builtFile } from "../../../settings/index.ts";
import { isRecord } from "../../../values/index.ts";
import { lines } from "../../modes/lines.ts";

interface RpcOptions {
  readonly cliPath?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly model?: string;
  readonly args?: readonly string[];
}

type Fields = Record<string, unknown>;
interface Waiting {
  resolve(data: unknown): void;
  reject(error: Error): void;
}

/** Each method that sends one command: its command, and how its arguments are called there. */
const COMMANDS: Readonly<Record<string, readonly [command: string, ...fields: string[]]>> = {
  prompt: ["prompt", "message", "images", "streamingBehavior"],
  steer: ["steer", "message", "images"],
  followUp: ["follow_up", "message", "images"],
  abort: ["abort"],
  newSession: ["new_session", "parentSession"],
  getState: ["get_state"],
  setModel: ["set_model", "provider", "modelId"],
  cycleModel: ["cycle_model"],
  setThinkingLevel: ["set_thinking_level", "level"],
  cycleThinkingLevel: ["cycle_thinking_level"],
  setSteeringMode: ["set_steering_mode", "mode"],
  setFollowUpMode: ["set_follow_up_mode", "mode"],
  compact: ["compact", "customInstructions"],
  setAutoCompaction: ["set_auto_compaction", "enabled"],
  setAutoRetry: ["set_auto_retry", "enabled"],
  abortRetry: ["abort_retry"],
  bash: ["bash", "command"],
  abortBash: ["abort_bash"],
  getSessionStats: ["get_session_stats"],
  exportHtml: ["export_html", "outputPath"],
  switchSession: ["switch_session", "sessionPath"],
  fork: ["fork", "entryId"],
  clone: ["clone"],
  setSessionName: ["set_session_name", "name"],
};

/** Those whose answer is one field of what comes back. */
const PICKED: Readonly<Record<string, readonly [command: string, field: string]>> = {
  getAvailableModels: ["get_available_models", "models"],
  getForkMessages: ["get_fork_messages", "messages"],
  getLastAssistantText: ["get_last_assistant_text", "text"],
  getMessages: ["get_messages", "messages"],
  getCommands: ["get_commands", "commands"],
};

/** An agent in a process of its own, that is talked to in lines of JSON. */
export class RpcClient {
  readonly #options: RpcOptions;
  readonly #listeners = new Set<(event: Fields) => void>();
  readonly #waiting = new Map<string, Waiting>();
  #child: ChildProcess | undefined;
  #stderr = "";
  #count = 0;

  constructor(options: RpcOptions = {}) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (this.#child) throw new Error("The client was started already.");
    const {
      cliPath = builtFile("bin/seam.js"),
      cwd,
      env,
      provider,
      model,
      args = [],
    } = this.#options;
    const asked =
      model === undefined
        ? []
        : ["--model", provider === undefined ? model : `${provider}/${model}`];
    const own = this.#options.cliPath === undefined ? ["run"] : [];
    const child = spawn(
      process.execPath,
      [String(cliPath), ...own, "--mode", "rpc", ...asked, ...args],
      {
        ...(cwd !== undefined && { cwd }),
        env: { ...process.env, ...env },
        stdio: ["pipe", "pipe", "pipe"],
      },
    );
    this.#child = child;
    child.stderr.on("data", (data: Buffer) => {
      this.#stderr += data.toString("utf8");
    });
    child.on("exit", () => this.#ended(new Error(`The agent ended. ${this.#stderr.trim()}`)));
    child.on("error", (error) => this.#ended(error));
    void this.#read(child.stdout);
    await this.#send("get_state", {});
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
      child.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
      child.kill("SIGTERM");
    });
  }

  onEvent(listener: (event: Fields) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  getStderr = () => this.#stderr;

  /** Sends one of the commands that have no method of their own. */
  command = (type: string, fields: Fields = {}) => this.#send(type, fields);

  waitForIdle(timeout = 60_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = this.onEvent(({ type }) => {
        if (type !== "agent_settled") return;
        clearTimeout(timer);
        end();
        resolve();
      });
      const timer = setTimeout(() => {
        end();
        reject(new Error(`The agent was not idle within ${timeout} ms. ${this.#stderr}`));
      }, timeout);
    });
  }
  async collectEvents(timeout?: number): Promise<Fields[]> {
    const events: Fields[] = [];
    const end = this.onEvent((event) => events.push(event));
    await this.waitForIdle(timeout).finally(end);
    return events;
  }
  async promptAndWait(message: string, images?: unknown, timeout?: number): Promise<Fields[]> {
    const collected = this.collectEvents(timeout);
    await this.#send("prompt", { message, ...(images !== undefined && { images }) });
    return collected;
  }

  #send(type: string, fields: Fields): Promise<unknown> {
    const child = this.#child;
    if (!child?.stdin) return Promise.reject(new Error("The client is not started."));
    const id = `req_${++this.#count}`;
    child.stdin.write(`${JSON.stringify({ id, type, ...fields })}\n`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  async #read(output: AsyncIterable<Buffer>): Promise<void> {
    for await (const line of lines(output)) {
      const message = parsed(line);
      if (!message) continue;
      const waiting =
        message.type === "response" ? this.#waiting.get(String(message.id)) : undefined;
      if (!waiting) {
        for (const listener of this.#listeners) listener(message);
        continue;
      }
      this.#waiting.delete(String(message.id));
      if (message.success === true) waiting.resolve(message.data);
      else waiting.reject(new Error(String(message.error)));
    }
  }

  #ended(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

for (const [method, [command, ...fields]] of Object.entries(COMMANDS)) {
  add(method, (client, args) => {
    const given = fields.map((field, index) => [field, args[index]] as const);
    return client.command(
      command,
      Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    );
  });
}
for (const [method, [command, field]] of Object.entries(PICKED)) {
  add(method, async (client) => {
    const data = await client.command(command);
    return isRecord(data) ? data[field] : undefined;
  });
}

function add(name: string, run: (client: RpcClient, args: unknown[]) => Promise<unknown>): void {
  Object.defineProperty(RpcClient.prototype, name, {
    configurable: true,
    writable: true,
    value: function (this: RpcClient, ...args: unknown[]) {
      return run(this, args);
    },
  });
}

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
