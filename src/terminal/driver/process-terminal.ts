import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import { setKittyProtocolActive } from "../keys/protocol.ts";
import { ESC } from "../text/escapes.ts";
import type { Terminal } from "../tui.ts";
import { inAscii } from "./ascii.ts";
import { InputReader } from "./input-reader.ts";
import { KillGuard } from "./kill-guard.ts";
import { eraseRows } from "./paint-frame.ts";
import { StrayOutput } from "./stray-output.ts";
import { QUERIES, terminalReply } from "./terminal-replies.ts";

/** What a terminal reads from: a keyboard in raw mode. */
export interface KeyboardInput {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: "data", listener: (data: Buffer | string) => void): unknown;
  on(event: "end" | "error", listener: () => void): unknown;
  off(event: "data", listener: (data: Buffer | string) => void): unknown;
  off(event: "end" | "error", listener: () => void): unknown;
}

/** What a terminal writes to. */
export interface ScreenOutput {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: "resize" | "error", listener: () => void): unknown;
  off(event: "resize" | "error", listener: () => void): unknown;
}

export interface ProcessTerminalOptions {
  readonly input?: KeyboardInput;
  readonly output?: ScreenOutput;
  /**
   * Use the terminal's own screen, below what is there, instead of the other one: what scrolls off stays
   * in its scrollback.
   */
  readonly scrollback?: boolean;
  /** Report the mouse wheel, so that the screen can scroll with it. */
  readonly mouse?: boolean;
  /** The terminal's locale knows no UTF-8: only ASCII is written. */
  readonly ascii?: boolean;
  /** Nobody types any more: the other end of the terminal is closed. */
  readonly onClosed?: () => void;
  /** Somebody else printed something while the screen is in use. */
  readonly onStray?: (text: string) => void;
  /** The terminal told whether its background is light. */
  readonly onBackground?: (isLight: boolean) => void;
}

const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;
const STDOUT = 1;
/** A terminal at the far end of a slow line has answered by then; one that never does is not waited for again. */
const ANSWERS_MS = 1_000;

/** The title of the window is kept by the terminal, and brought back at the end. */
const TITLE_KEPT = `${ESC}[22;2t`;
const TITLE_BACK = `${ESC}[23;2t`;
const EDITING = `${ESC}[?2004h${ESC}[?25l`;
const OTHER_SCREEN = `${ESC}[?1049h${ESC}[2J${ESC}[H`;
const MOUSE_ON = `${ESC}[?1000h${ESC}[?1006h`;
const MOUSE_OFF = `${ESC}[?1006l${ESC}[?1000l`;
const KITTY_ON = `${ESC}[>7u`;
const KITTY_OFF = `${ESC}[<u`;
const OTHER_KEYS_ON = `${ESC}[>4;2m`;
const OTHER_KEYS_OFF = `${ESC}[>4;0m`;
/** Everything that may be on is switched off, also what a killed child may have left behind. */
const LEAVE = `${ESC}[?2026l${ESC}[0m${ESC}[?2004l${ESC}[?25h`;
const OWN_SCREEN = `${ESC}[r${ESC}[?1049l`;
/**
 * The editor and what stands below it make room for whoever prints next. If that is the shell, and it was
 * faster, what it printed stands before the cursor, and stays.
 */
const ERASE_BELOW = `${ESC}7${ESC}[r${ESC}8${ESC}[J`;
const SYNC_START = `${ESC}[?2026h`;
const SYNC_END = `${ESC}[?2026l`;

/** The terminal this process runs in: the whole screen, in raw mode, and back as it was. */
export class ProcessTerminal implements Terminal {
  readonly #input: KeyboardInput;
  readonly #output: ScreenOutput;
  readonly #options: ProcessTerminalOptions;
  #reader: InputReader | undefined;
  #decoder = new StringDecoder("utf8");
  #isOn = false;
  #kitty = false;
  #otherKeys = false;
  #synchronized = false;
  #isAnswered = false;
  #askedAt = 0;
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};
  readonly #stray: StrayOutput | undefined;
  readonly #guard: KillGuard | undefined;
  #write: (text: string) => void = () => {};

  constructor(options: ProcessTerminalOptions = {}) {
    this.#options = options;
    this.#input = options.input ?? process.stdin;
    this.#output = options.output ?? process.stdout;
    this.#stray = options.onStray && new StrayOutput(options.onStray);
    const isReal = this.#output === process.stdout && process.stdout.isTTY;
    this.#guard = isReal && process.platform !== "win32" ? new KillGuard(STDOUT) : undefined;
  }

  get columns(): number {
    return this.#output.columns || USUAL_COLUMNS;
  }

  get rows(): number {
    return this.#output.rows || USUAL_ROWS;
  }

  get kittyProtocolActive(): boolean {
    return this.#kitty;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#onInput = onInput;
    this.#onResize = onResize;
    this.#isAnswered = false;
    this.#askedAt = Date.now();
    this.#reader = new InputReader((data) => this.#arrived(data));
    this.#input.setRawMode?.(true);
    this.#input.on("data", this.#hear);
    this.#input.on("end", this.#closed);
    this.#input.on("error", this.#closed);
    this.#input.resume();
    this.#output.on("resize", this.#resized);
    this.#output.on("error", this.#closed);
    process.on("exit", this.#leave);
    // The message of an error that nobody catches must not be written into the screen.
    process.on("uncaughtExceptionMonitor", this.#leave);
    this.#write =
      this.#stray?.start([process.stdout, process.stderr]) ??
      ((text) => void this.#output.write(text));
    this.#write(this.#entering + (this.#options.mouse ? MOUSE_ON : "") + QUERIES);
    this.#guard?.restoreWith(this.#restoring);
  }

  stop(left = ""): void {
    if (!this.#isOn) return;
    // What was drawn makes room for what is left of it.
    if (this.#options.scrollback) this.#write(eraseRows(this.rows));
    this.#leave();
    if (left !== "") this.#output.write(this.#options.ascii ? inAscii(left) : left);
    this.#reader?.close();
    this.#input.off("data", this.#hear);
    this.#input.off("end", this.#closed);
    this.#input.off("error", this.#closed);
    this.#input.pause();
    this.#output.off("resize", this.#resized);
    this.#output.off("error", this.#closed);
    process.off("exit", this.#leave);
    process.off("uncaughtExceptionMonitor", this.#leave);
  }

  /** What the terminal still answers must not end up on the command line of the shell. */
  async drainInput(maxMs = ANSWERS_MS): Promise<void> {
    const until = this.#askedAt + maxMs;
    while (this.#isOn && !this.#isAnswered && Date.now() < until) await sleep(10);
  }

  write(data: string): void {
    if (!this.#isOn || data === "") return;
    const text = this.#options.ascii ? inAscii(data) : data;
    this.#write(this.#synchronized ? SYNC_START + text + SYNC_END : text);
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(`${ESC}[${Math.abs(lines)}${lines > 0 ? "B" : "A"}`);
  }

  hideCursor(): void {
    this.write(`${ESC}[?25l`);
  }

  showCursor(): void {
    this.write(`${ESC}[?25h`);
  }

  clearLine(): void {
    this.write(`${ESC}[K`);
  }

  clearFromCursor(): void {
    this.write(`${ESC}[J`);
  }

  clearScreen(): void {
    this.write(`${ESC}[2J${ESC}[H`);
  }

  setTitle(title: string): void {
    this.write(`${ESC}]0;${title.replace(/\p{Cc}/gu, "").slice(0, 200)}\u0007`);
  }

  setProgress(active: boolean): void {
    this.write(`${ESC}]9;4;${active ? 3 : 0}\u0007`);
  }

  readonly #hear = (data: Buffer | string): void => {
    // A character may arrive in two parts; bytes that are no UTF-8 become one sign each.
    const text = typeof data === "string" ? data : this.#decoder.write(data);
    this.#reader?.feed(text);
  };

  readonly #resized = (): void => this.#onResize();

  readonly #closed = (): void => this.#options.onClosed?.();

  /** Also called when the process ends for whatever reason, so it only writes and never waits. */
  readonly #leave = (): void => {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#guard?.stop();
    try {
      this.#write((this.#options.scrollback ? "\r" : "") + this.#restoring);
      this.#stray?.stop();
      this.#input.setRawMode?.(false);
    } catch {
      // The terminal itself is gone.
    }
    this.#kitty = false;
    this.#otherKeys = false;
    this.#synchronized = false;
    setKittyProtocolActive(false);
  };

  /** What switches off everything that is on now. */
  get #restoring(): string {
    const keys = (this.#kitty ? KITTY_OFF : "") + (this.#otherKeys ? OTHER_KEYS_OFF : "");
    const back = this.#options.scrollback ? ERASE_BELOW : OWN_SCREEN;
    return (this.#options.mouse ? MOUSE_OFF : "") + keys + LEAVE + back + TITLE_BACK;
  }

  /** Beginning at the cursor there is a whole screen of room, and what stood above it has scrolled off. */
  get #entering(): string {
    const room = "\n".repeat(Math.max(0, this.rows - 1));
    return TITLE_KEPT + (this.#options.scrollback ? EDITING + room : OTHER_SCREEN + EDITING);
  }

  #arrived(data: string): void {
    const reply = terminalReply(data);
    if (!reply) this.#onInput(data);
    else if (reply.kind === "synchronized") this.#synchronized = reply.isKnown;
    else if (reply.kind === "background") this.#options.onBackground?.(reply.isLight);
    else if (reply.kind === "keyboard" && !this.#kitty) {
      this.#kitty = true;
      setKittyProtocolActive(true);
      this.#write(KITTY_ON);
      this.#guard?.restoreWith(this.#restoring);
    } else if (reply.kind === "end" && !this.#isAnswered) {
      this.#isAnswered = true;
      if (this.#kitty) return;
      this.#otherKeys = true;
      this.#write(OTHER_KEYS_ON);
      this.#guard?.restoreWith(this.#restoring);
    }
  }
}

/** A timer that is never due; a process that waits for nothing would end. */
const LONG_MS = 2 ** 30;

/** Ctrl+Z: gives the terminal back to the shell until the user says `fg`. */
export function suspendProcess(screen: { stop(): void; start(): void }): void {
  screen.stop();
  const awake = setInterval(() => {}, LONG_MS);
  process.once("SIGCONT", () => {
    clearInterval(awake);
    screen.start();
  });
  // The whole group, as the terminal itself would do it: a parent such as npx must stop too.
  process.kill(0, "SIGTSTP");
}
