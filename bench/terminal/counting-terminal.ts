import type { Terminal } from "../../src/terminal/index.ts";

export const COLUMNS = 120;
export const ROWS = 40;

/** A terminal that counts what is written to it. */
export class CountingTerminal implements Terminal {
  readonly columns = COLUMNS;
  readonly rows = ROWS;
  readonly kittyProtocolActive = false;
  bytes = 0;
  type: (data: string) => void = () => {};
  start(onInput: (data: string) => void): void {
    this.type = onInput;
  }
  stop(): void {}
  async drainInput(): Promise<void> {}
  write(data: string): void {
    this.bytes += Buffer.byteLength(data);
  }
  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}
}
