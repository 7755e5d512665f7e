import { EventEmitter } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { ESC } from "../text/escapes.ts";
import { ProcessTerminal, type ProcessTerminalOptions } from "./process-terminal.ts";

const KNOWS_SYNC = `${ESC}[?2026;2$y`;
const KNOWS_NO_SYNC = `${ESC}[?2026;0$y`;
const KNOWS_KITTY = `${ESC}[?0u`;
/** The reply that every terminal gives, and gives last. */
const IS_A_TERMINAL = `${ESC}[?62;22c`;

class Keyboard extends EventEmitter {
  isRaw = false;
  setRawMode(raw: boolean): void {
    this.isRaw = raw;
  }
  resume(): void {}
  pause(): void {}
  send(data: string | Buffer): void {
    this.emit("data", data);
  }
}

class Output extends EventEmitter {
  written = "";
  write(text: string): void {
    this.written += text;
  }
  /** What was written since the last look. */
  taken(): string {
    const text = this.written;
    this.written = "";
    return text;
  }
}

function started(options: ProcessTerminalOptions = {}) {
  const input = new Keyboard();
  const output = new Output();
  const terminal = new ProcessTerminal({ ...options, input, output });
  const typed: string[] = [];
  terminal.start(
    (data) => typed.push(data),
    () => {},
  );
  onTestFinished(() => terminal.stop());
  return { input, output, terminal, typed };
}

it("a terminal that knows synchronized output gets each frame as one", () => {
  const { input, output, terminal } = started();
  input.send(KNOWS_SYNC + IS_A_TERMINAL);
  output.taken();
  terminal.write("frame");
  expect(output.taken()).toBe(`${ESC}[?2026hframe${ESC}[?2026l`);
});

it("one that does not, or says nothing, gets none of its marks", () => {
  for (const reply of [KNOWS_NO_SYNC, ""]) {
    const { input, output, terminal } = started();
    input.send(reply + IS_A_TERMINAL);
    output.taken();
    terminal.write("frame");
    expect(output.taken()).toBe("frame");
  }
});

it("replies are not taken for keys, however they are cut on the way", () => {
  const { input, typed } = started();
  for (const part of ["a", `${ESC}[?20`, `26;2$y${ESC}[?`, "62;22c", "b"]) input.send(part);
  expect(typed).toEqual(["a", "b"]);
});

it("a character that an input method sends in parts arrives whole", () => {
  const { input, typed } = started();
  for (const byte of Buffer.from("語")) input.send(Buffer.from([byte]));
  expect(typed).toEqual(["語"]);
});

it("leaving switches off what was switched on, and nothing twice", () => {
  const { input, output, terminal } = started({ mouse: true });
  input.send(KNOWS_KITTY + IS_A_TERMINAL);
  expect(input.isRaw).toBe(true);
  output.taken();
  terminal.stop();
  const left = output.taken();
  for (const mode of ["?1006l", "?1000l", "<u", "?2026l", "?2004l", "?25h", "?1049l"]) {
    expect(left).toContain(`${ESC}[${mode}`);
  }
  expect(input.isRaw).toBe(false);
  terminal.stop();
  terminal.write("late");
  expect(output.taken()).toBe("");
});

it("what is left on it is written after everything is as it was, in ASCII where that is all there is", () => {
  const { output, terminal } = started({ ascii: true });
  output.taken();
  terminal.stop("✓ done\n");
  const [, left] = output.taken().split(`${ESC}[23;2t`);
  expect(left).toBe("+ done\n");
});

it("replies over a slow line are waited for before the terminal is left, and only then", async () => {
  const { input, terminal } = started();
  let isDrained = false;
  const draining = terminal.drainInput().then(() => {
    isDrained = true;
  });
  await new Promise((done) => setTimeout(done, 300));
  expect(isDrained).toBe(false);
  input.send(IS_A_TERMINAL);
  await draining;
});

it("a terminal that never replies is not waited for long after it was asked", async () => {
  const { terminal } = started();
  await terminal.drainInput(0);
});

it("with its scrollback in use, the terminal stays on its own screen, and the cursor ends below what is left", () => {
  const { output, terminal } = started({ scrollback: true });
  const entered = output.taken();
  // As many lines as the terminal has rows: what stood above the cursor scrolls off and is kept.
  expect(entered.match(/\n/g)).toHaveLength(terminal.rows - 1);
  terminal.stop("said\n");
  const left = output.taken();
  expect(entered + left).not.toContain("1049");
  expect(left).not.toContain(`${ESC}[2J`);
  expect(left.endsWith("said\n")).toBe(true);
});
