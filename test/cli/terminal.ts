import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import xterm from "@xterm/headless";
import { expect, onTestFinished, vi } from "vitest";

const MAIN = join(import.meta.dirname, "../../dist/bin/seam.js");

/** The program `script` gives a command a terminal of its own; its options differ by platform. */
export const whyNoTerminal =
  process.platform === "linux" && spawnSync("script", ["--version"]).status === 0
    ? undefined
    : "there is no `script` of util-linux here";

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly columns?: number;
  readonly rows?: number;
  /** What a shell does on the terminal before the command, and after it. Without it there is no shell. */
  readonly around?: readonly [before: string, after: string];
}

/** The built command on a real terminal, and a person at its keys. */
export class Terminal {
  /** All that was written to it so far, escape sequences included. */
  raw = "";
  readonly exited: Promise<number>;
  readonly #child: ChildProcess;
  readonly #type: (keys: string) => void;
  readonly #size: readonly [columns: number, rows: number];
  #from = 0;

  constructor(args: readonly string[], options: TerminalOptions) {
    const { cwd, columns = 80, rows = 24 } = options;
    this.#size = [columns, rows];
    const words = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(" ");
    const [before, after] = options.around ?? ["", ""];
    // The number is that of the command, which takes the place of the shell that prints it.
    const run = `sh -c "echo pid=\\$\\$; exec ${words}"`;
    const command = `stty cols ${columns} rows ${rows}; ${options.around ? `${before}; ${run}; ${after}` : `exec ${words}`}`;
    // What CI and the terminal of whoever runs the tests say does not count.
    const env = { TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/sh", ...options.env };
    const child = spawn("script", ["-qefc", command, "/dev/null"], { cwd, env });
    this.#child = child;
    child.stdout.on("data", (part: Buffer) => {
      this.raw += String(part);
    });
    this.exited = new Promise((done) => child.on("close", (code) => done(code ?? -1)));
    this.#type = (keys) => void child.stdin.write(keys);
    child.stdin.on("error", () => {});
    onTestFinished(() => void child.kill());
  }

  /** The process of the command, if there is a shell around it. */
  get pid(): number {
    return Number(/pid=(\d+)/.exec(this.raw)?.[1]);
  }

  /** What is to be read. */
  get text(): string {
    return stripVTControlCharacters(this.raw).replaceAll("\r", "");
  }

  /** Waits until something is written after what was waited for before. */
  async shows(words: string): Promise<void> {
    for (const deadline = Date.now() + 30_000; ; ) {
      const at = this.text.indexOf(words, this.#from);
      if (at >= 0) {
        this.#from = at + words.length;
        return;
      }
      if (Date.now() > deadline) throw new Error(`"${words}" did not come:\n${this.text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The rows as they stand on it now, for what is drawn in parts. */
  async screen(): Promise<string> {
    const [cols, rows] = this.#size;
    const screen = new xterm.Terminal({ cols, rows, allowProposedApi: true });
    await new Promise<void>((done) => screen.write(this.raw, done));
    const { active } = screen.buffer;
    const lines = Array.from({ length: rows }, (_, row) =>
      active.getLine(active.viewportY + row)?.translateToString(true),
    );
    return lines.join("\n");
  }

  /** Waits until it stands on the screen. */
  async stands(words: string | RegExp): Promise<void> {
    await vi.waitFor(async () => expect(await this.screen()).toMatch(words), {
      timeout: 30_000,
      interval: 50,
    });
  }

  /** The window is closed, with whatever runs in it. */
  close(): void {
    this.#child.kill("SIGKILL");
  }

  press(key: keyof typeof KEYS): void {
    this.#type(KEYS[key]);
  }

  type(text: string): void {
    this.#type(text);
  }
}

const KEYS = { enter: "\r", escape: "\x1b", "ctrl-c": "\x03", down: "\x1b[B" } as const;
