import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { agentNamed, eventsFor, type Told } from "../../agents/index.ts";
import { newFolder } from "./project.ts";
import type { Workshop } from "./workshop.ts";

let sessions = 0;

/** More ids than a line of a transcript needs. */
const CALLS_OF_A_LINE = 10;

interface Options {
  readonly cwd?: string;
  readonly id?: string;
  /** A shell in the place of the agent's program; without it nobody knows the process. */
  readonly process?: boolean;
  /** Its hooks come at the time that files have, too; else each comes a second after the one before. */
  readonly isNow?: boolean;
}

/**
 * Stands in for Claude Code: a process of its own that can run git, a transcript in Claude Code's
 * format, and its hooks, read by the real adapter.
 */
export class FakeClaude {
  readonly id: string;
  readonly transcript: string;
  readonly #shop: Workshop;
  readonly #cwd: string;
  readonly #process: ChildProcessWithoutNullStreams | undefined;
  readonly #isNow: boolean;
  #calls = 0;
  #child: string | undefined;

  constructor(
    shop: Workshop,
    { cwd = shop.root, id, process: isOwn = true, ...more }: Options = {},
  ) {
    this.#shop = shop;
    this.#isNow = more.isNow === true;
    this.#cwd = cwd;
    this.id = id ?? `${String(++sessions).padStart(8, "0")}-aaaa-4bbb-8ccc-0123456789ab`;
    this.transcript = join(shop.home, ".claude/projects/x", `${this.id}.jsonl`);
    mkdirSync(dirname(this.transcript), { recursive: true });
    appendFileSync(this.transcript, "");
    // One that goes on with a session makes up ids that are not in it yet.
    this.#calls = CALLS_OF_A_LINE * readFileSync(this.transcript, "utf8").split("\n").length;
    this.#process = isOwn ? this.#start() : undefined;
  }

  #start(): ChildProcessWithoutNullStreams {
    const program = join(newFolder(), "agent");
    copyFileSync(realpathSync("/bin/sh"), program);
    const child = spawn(program, ["-s"], { cwd: this.#cwd, env: this.#shop.env });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    return child;
  }

  /** Runs a command in the agent's process, until all it led to is recorded. */
  run(command: string): Promise<string> {
    return this.runOnly(command).finally(() => this.#shop.heard());
  }

  /** The same until the command ends. */
  runOnly(command: string): Promise<string> {
    const child = this.#process;
    if (!child) throw new Error("there is no process");
    return new Promise<string>((done) => {
      let text = "";
      const hear = (chunk: Buffer) => {
        text += chunk.toString();
        const end = text.indexOf("<<end>>");
        if (end < 0) return;
        child.stdout.off("data", hear);
        done(text.slice(0, end));
      };
      child.stdout.on("data", hear);
      child.stdin.write(`{ ${command}\n} 2>&1; echo '<<end>>'\n`);
    });
  }

  /** Ends the process, without a word. */
  async die(): Promise<void> {
    const child = this.#process;
    if (!child) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await gone;
  }

  async hook(name: string, more: object = {}, told: Told = {}): Promise<void> {
    const hooks = agentNamed("claude-code")?.hooks;
    const row = hooks?.mapping[name];
    const payload = {
      session_id: this.id,
      transcript_path: this.transcript,
      cwd: this.#cwd,
      hook_event_name: name,
      ...(this.#child !== undefined && { agent_id: this.#child, agent_type: "general-purpose" }),
      ...more,
    };
    const reading = hooks?.read(name, payload);
    if (!row || !reading) throw new Error(`no such hook: ${name}`);
    const seq = this.#shop.nextSeq();
    await this.#shop.tell({
      seq,
      id: `claude-${seq}`,
      at: this.#timeOf(seq),
      agent: "claude-code",
      hook: name,
      cwd: this.#cwd,
      ...(this.#process?.pid !== undefined && { pid: this.#process.pid }),
      reading,
      events: eventsFor(row, reading).map(({ type }) => type),
      told,
    });
  }

  async start(source = "startup"): Promise<this> {
    await this.hook("SessionStart", { source });
    return this;
  }

  async prompt(text: string): Promise<this> {
    this.line({ type: "user", message: { role: "user", content: text }, uuid: this.#uuid() });
    await this.hook("UserPromptSubmit", { prompt: text });
    return this;
  }

  /** A tool call around what it does. */
  async tool(name: string, input: object, work: () => unknown, told: Told = {}) {
    const id = `toolu_${this.id.slice(0, 8)}_${++this.#calls}`;
    const call = { tool_name: name, tool_input: input, tool_use_id: id };
    this.say([{ type: "tool_use", id, name, input }]);
    await this.hook("PreToolUse", call, told);
    if (told.block) return id;
    await work();
    await this.hook("PostToolUse", { ...call, tool_response: { ok: true } });
    const content = [{ type: "tool_result", tool_use_id: id, content: "ok" }];
    this.line({ type: "user", message: { role: "user", content }, uuid: this.#uuid() });
    return id;
  }

  /** What a subagent does, with a transcript of its own. It has its end only if it is told. */
  async inChild(id: string, work: () => unknown): Promise<void> {
    this.#child = id;
    try {
      await work();
    } finally {
      this.#child = undefined;
    }
  }

  async childStops(id: string): Promise<void> {
    await this.inChild(id, async () => {
      this.say([{ type: "text", text: "The part is done." }]);
      await this.hook("SubagentStop", { last_assistant_message: "The part is done." });
    });
  }

  /** Claude Code tells its model of the end of a task in the place of a prompt. */
  async notify(id: string): Promise<void> {
    const text = `<task-notification>\n<task-id>${id}</task-id>\n</task-notification>`;
    const origin = { kind: "task-notification" };
    this.line({ type: "user", origin, message: { role: "user", content: text } });
    await this.hook("UserPromptSubmit", { prompt: text });
  }

  write(path: string, content: string) {
    const full = resolve(this.#cwd, path);
    return this.tool("Write", { file_path: full, content }, () => {
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
    });
  }

  bash(command: string) {
    return this.tool("Bash", { command }, () => this.run(command));
  }

  remove(path: string) {
    return this.tool("Bash", { command: `rm ${path}` }, () => rmSync(resolve(this.#cwd, path)));
  }

  skill(name: string) {
    return this.tool("Skill", { skill: name }, () => {});
  }

  async stop(): Promise<this> {
    this.say([{ type: "text", text: "Done." }]);
    await this.hook("Stop");
    return this;
  }

  /** A whole turn. */
  async turn(prompt: string, work: () => unknown): Promise<this> {
    await this.prompt(prompt);
    await work();
    return this.stop();
  }

  say(content: readonly object[]): void {
    const id = `msg_${this.id.slice(0, 8)}_${++this.#calls}`;
    this.line({
      type: "assistant",
      uuid: this.#uuid(),
      requestId: id,
      message: {
        id,
        type: "message",
        role: "assistant",
        model: "claude-test-1",
        content,
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 2,
          cache_read_input_tokens: 3,
          output_tokens: 5,
        },
      },
    });
  }

  line(value: object): void {
    const common = {
      sessionId: this.id,
      timestamp: this.#timeOf(this.#shop.seq),
      isSidechain: false,
    };
    const child = join(
      this.transcript.replace(/\.jsonl$/, ""),
      `subagents/agent-${this.#child}.jsonl`,
    );
    const file = this.#child === undefined ? this.transcript : child;
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${JSON.stringify({ ...common, ...value })}\n`);
  }

  /** When a hook comes, and what is written before it. */
  #timeOf(seq: number): string {
    return (this.#isNow ? new Date() : new Date(Date.UTC(2026, 4, 25, 12, 0, seq))).toISOString();
  }

  #uuid(): string {
    return `entry-${this.id.slice(0, 8)}-${++this.#calls}`;
  }
}
