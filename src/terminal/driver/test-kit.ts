import { Terminal as Emulator } from "@xterm/headless";
import type { Terminal } from "../tui.ts";

/** A terminal that is emulated: what is written to it can be looked at as a person would see it. */
export class FakeTerminal implements Terminal {
  readonly #emulator: Emulator;
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};
  readonly kittyProtocolActive = false;
  /** Everything that was written, in order. */
  written = "";
  isOn = false;
  /** What was left on it when it was given back. */
  left = "";

  constructor(columns = 80, rows = 24) {
    this.#emulator = new Emulator({ cols: columns, rows, allowProposedApi: true });
  }

  get columns(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.isOn = true;
    this.#onInput = onInput;
    this.#onResize = onResize;
  }

  stop(left = ""): void {
    this.isOn = false;
    this.left = left;
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.written += data;
    this.#emulator.write(data);
  }

  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(title: string): void {
    this.title = title;
  }
  setProgress(): void {}

  title = "";

  type(...keys: readonly string[]): void {
    for (const key of keys) this.#onInput(key);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#onResize();
  }

  /** The rows as they stand on the screen. */
  async rowsShown(): Promise<string[]> {
    await new Promise<void>((resolve) => this.#emulator.write("", resolve));
    const { active } = this.#emulator.buffer;
    return Array.from({ length: this.rows }, (_, row) => {
      const line = active.getLine(active.viewportY + row);
      return line?.translateToString(true) ?? "";
    });
  }

  /** Everything that the terminal has kept above the screen, and the screen itself. */
  async wholeBuffer(): Promise<string[]> {
    await new Promise<void>((resolve) => this.#emulator.write("", resolve));
    const { active } = this.#emulator.buffer;
    return Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? "",
    );
  }

  async shown(): Promise<string> {
    return (await this.rowsShown()).join("\n").trimEnd();
  }

  get cursor(): { row: number; column: number } {
    const { cursorX, cursorY } = this.#emulator.buffer.active;
    return { row: cursorY, column: cursorX };
  }
}
