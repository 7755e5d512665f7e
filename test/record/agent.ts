import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Checkout } from "./checkout.ts";

let sessions = 0;

/**
 * Stands in for Claude Code: a process of its own that runs Seam's hook client and git, and writes
 * a transcript. Everything on the other side of the client is real.
 */
export class Agent {
  readonly id: string;
  readonly cwd: string;
  transcript: string;
  /** One hook comes after the other, without the time a model would take in between. */
  hurries = false;
  readonly #checkout: Checkout;
  readonly #process: ChildProcessWithoutNullStreams;
  #count = 0;

  /** `id`: of a session that goes on. */
  constructor(checkout: Checkout, cwd = checkout.root, id?: string) {
    const { machine } = checkout;
    this.#checkout = checkout;
    this.cwd = cwd;
    this.id =
      id ??
      `${String(++sessions).padStart(8, "0")}-aaaa-4bbb-8ccc-${String(process.pid).padStart(12, "0")}`;
    this.transcript = join(machine.home, ".claude/projects/x", `${this.id}.jsonl`);
    mkdirSync(dirname(this.transcript), { recursive: true });
    const program = join(machine.home, "agent");
    copyOnce(realpathSync("/bin/sh"), program);
    this.#process = spawn(program, ["-s"], { cwd, env: machine.env });
    machine.agents.push(this.#process);
  }

  /** Runs a command in the agent's process; what it says, and its exit code. */
  run(command: string): Promise<{ code: number; said: string }> {
    const child = this.#process;
    return new Promise((done) => {
      let text = "";
      const hear = (chunk: Buffer) => {
        text += chunk.toString("latin1");
        const [all, code] = /<<end (\d+)>>/.exec(text) ?? [];
        if (all === undefined) return;
        child.stdout.off("data", hear);
        done({ code: Number(code), said: text.slice(0, text.indexOf(all)) });
      };
      child.stdout.on("data", hear);
      child.stdin.write(`( ${command}\n) 2>&1; echo "<<end $?>>"\n`);
    });
  }

  /** Ends the process, without a word. */
  async die(): Promise<void> {
    const gone = new Promise((done) => this.#process.once("exit", done));
    this.#process.kill("SIGKILL");
    await gone;
  }

  /** A hook, through the real client. Its exit code is the agent's business, so it must be 0. */
  async hook(name: string, more: object = {}): Promise<void> {
    const payload = {
      session_id: this.id,
      transcript_path: this.transcript,
      cwd: this.cwd,
      hook_event_name: name,
      ...more,
    };
    const file = join(this.#checkout.machine.home, `payload-${this.id}`);
    writeFileSync(file, JSON.stringify(payload));
    const client = '"$SEAM_HOME/bin/hook"';
    const { code, said } = await this.run(`${client} claude-code ${name} <'${file}'`);
    if (code !== 0) throw new Error(`hook ${name}: ${code} ${said}`);
    // No model is faster than this, and nothing waits for it: if there is no daemon, it goes on.
    if (name !== "Stop" && !this.hurries) await this.#checkout.machine.recorded();
  }

  async start(): Promise<this> {
    await this.hook("SessionStart", { source: "startup" });
    return this;
  }

  async prompt(text: string): Promise<this> {
    this.line({ type: "user", message: { role: "user", content: text }, uuid: this.#uuid() });
    await this.hook("UserPromptSubmit", { prompt: text });
    return this;
  }

  async tool(name: string, input: object, work: () => unknown): Promise<void> {
    const id = `toolu_${this.id.slice(0, 8)}_${++this.#count}`;
    const call = { tool_name: name, tool_input: input, tool_use_id: id };
    this.say([{ type: "tool_use", id, name, input }]);
    await this.hook("PreToolUse", call);
    await work();
    await this.hook("PostToolUse", { ...call, tool_response: { ok: true } });
    const content = [{ type: "tool_result", tool_use_id: id, content: "ok" }];
    this.line({ type: "user", message: { role: "user", content }, uuid: this.#uuid() });
  }

  write(path: string, content: string): Promise<void> {
    const full = resolve(this.cwd, path);
    return this.tool("Write", { file_path: full, content }, () => {
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
    });
  }

  /** A command of the agent's, which has to succeed. */
  bash(command: string): Promise<void> {
    return this.tool("Bash", { command }, async () => {
      const { code, said } = await this.run(command);
      if (code !== 0) throw new Error(`${command}: ${code} ${said}`);
    });
  }

  async stop(): Promise<this> {
    this.say([{ type: "text", text: "Done." }]);
    await this.hook("Stop");
    return this;
  }

  async turn(prompt: string, work: () => unknown): Promise<this> {
    await this.prompt(prompt);
    await work();
    return this.stop();
  }

  say(content: readonly object[]): void {
    const id = `msg_${this.id.slice(0, 8)}_${++this.#count}`;
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: "claude-test-1",
      content,
      usage,
    };
    this.line({ type: "assistant", uuid: this.#uuid(), requestId: id, message });
  }

  line(value: object): void {
    const common = {
      sessionId: this.id,
      timestamp: new Date().toISOString(),
      isSidechain: false,
    };
    try {
      appendFileSync(this.transcript, `${JSON.stringify({ ...common, ...value })}\n`);
    } catch {
      // Its disk is full, or a test put something else in its place.
    }
  }

  #uuid(): string {
    return `entry-${this.id.slice(0, 8)}-${++this.#count}`;
  }
}

const copied = new Set<string>();

function copyOnce(from: string, to: string): void {
  if (copied.has(to)) return;
  copyFileSync(from, to);
  copied.add(to);
}
