import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

export interface PaneOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

const LOOK_MS = 100;
const PATIENCE_MS = 60_000;

/** A terminal with a person before it: a program runs in tmux, keys are typed, the screen is read. */
export class Pane {
  readonly #folder = mkdtempSync(join(tmpdir(), "pane-"));

  constructor({ command, cwd, env, columns, rows }: PaneOptions) {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const line = ["env", "-u", "TMUX", ...variables, ...command].map(quoted).join(" ");
    const size = ["-x", String(columns), "-y", String(rows)];
    const settings = "set -g status off; set -g escape-time 10; set -g remain-on-exit on";
    this.#tmux("new-session", "-d", "-s", "only", ...size, "-c", cwd, `sleep 0.2; exec ${line}`);
    for (const setting of settings.split("; ")) this.#tmux(...setting.split(" "));
    this.#tmux("pipe-pane", "-t", "only", `cat > ${quoted(this.#written)}`);
  }

  get #written(): string {
    return join(this.#folder, "written");
  }

  /** Keys by tmux' names, such as "Enter", "Escape", "C-o". */
  press(...keys: readonly string[]): void {
    this.#tmux("send-keys", "-t", "only", ...keys);
  }

  type(text: string): void {
    this.#tmux("send-keys", "-t", "only", "-l", "--", text);
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-t", "only", "-x", String(columns), "-y", String(rows));
  }

  /** What a person sees, one line for each row. */
  screen(): string[] {
    const text = this.#tmux("capture-pane", "-p", "-t", "only");
    return text.split("\n").map((line) => line.trimEnd());
  }

  /** What scrolled off, as the copy mode finds it, and the screen below it. */
  history(): string[] {
    const text = this.#tmux("capture-pane", "-p", "-S", "-", "-t", "only");
    return text.split("\n").map((line) => line.trimEnd());
  }

  /** The screen with its colours. */
  painted(): string {
    return this.#tmux("capture-pane", "-p", "-e", "-t", "only");
  }

  get title(): string {
    return this.#tmux("display-message", "-p", "-t", "only", "#{pane_title}").trim();
  }

  /** The process of the program, which leads a group of its own. */
  get pid(): number {
    return Number(this.#tmux("display-message", "-p", "-t", "only", "#{pane_pid}"));
  }

  /** Waits until the screen shows something. */
  async shows(wanted: RegExp): Promise<string[]> {
    return this.until((lines) => wanted.test(lines.join("\n")), String(wanted));
  }

  /** Waits until something was written to the screen, even if it stood there for a moment only. */
  async wrote(wanted: RegExp): Promise<void> {
    const isWritten = () =>
      wanted.test(stripVTControlCharacters(readFileSync(this.#written, "utf8")));
    await this.until(isWritten, String(wanted));
  }

  async until(
    isSeen: (lines: string[]) => boolean,
    what: string,
    patienceMs = PATIENCE_MS,
  ): Promise<string[]> {
    const end = Date.now() + patienceMs;
    for (;;) {
      const lines = this.screen();
      if (isSeen(lines)) return lines;
      if (Date.now() > end) throw new Error(`${what} was never shown:\n${lines.join("\n")}`);
      await sleep(LOOK_MS);
    }
  }

  close(): void {
    try {
      this.#tmux("kill-server");
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  #tmux(...args: readonly string[]): string {
    const socket = join(this.#folder, "socket");
    return execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
