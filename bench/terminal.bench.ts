import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { StreamingMarkdown } from "../src/screen/markdown/streaming-markdown.ts";
import { Transcript } from "../src/screen/transcript/transcript.ts";
import {
  type Component,
  getMarkdownTheme,
  type Terminal,
  TerminalScreen,
} from "../src/terminal/index.ts";
import { atMost, type Bench, medians, pairedRatio } from "./frame.ts";

const COLUMNS = 120;
const ROWS = 40;
const TOKENS = 200;
const FRAME_MS = 16;
const ROUNDS = 15;
const SEAM = fileURLToPath(new URL("../dist/bin/seam.js", import.meta.url));

/** A terminal that counts what is written to it. */
class CountingTerminal implements Terminal {
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

/** A session of so many lines, with an answer that grows at its end and an editor below. */
function session(lines: number) {
  const terminal = new CountingTerminal();
  const transcript = new Transcript();
  const line = (text: string): Component => ({ render: () => [text], invalidate() {} });
  for (let at = 0; at < lines; at++) transcript.add(line(`line ${at} of a session that is long`));
  const answer = new StreamingMarkdown(getMarkdownTheme());
  transcript.add(answer);
  let typed = "";
  const screen = new TerminalScreen(terminal, {
    layout: (columns, rows) => [
      ...transcript.window(columns, rows - 2),
      "-".repeat(columns),
      `> ${typed}`,
    ],
  });
  screen.setFocus({
    render: () => [],
    invalidate() {},
    handleInput: (data) => {
      typed += data;
    },
  });
  screen.start();
  return { terminal, screen, answer };
}

/** What one token of an answer costs on the screen, in bytes. */
function bytesPerToken(lines: number): number {
  const { terminal, screen, answer } = session(lines);
  terminal.bytes = 0;
  let text = "";
  for (let token = 0; token < TOKENS; token++) {
    text += token % 40 === 39 ? "words.\n\n" : "word ";
    answer.setText(text);
    screen.drawNow();
  }
  screen.stop();
  return terminal.bytes / TOKENS;
}

const bench: Bench = async function* (say) {
  say("streaming");
  const short = bytesPerToken(100);
  const long = bytesPerToken(10_000);
  yield atMost({
    name: "bytes for a token at the end of 10,000 lines",
    value: long,
    bar: 120,
    unit: "bytes",
    detail: [{ name: "after 100 lines", value: short, unit: "bytes" }],
  });
  yield atMost({
    name: "the same beside 100 lines",
    value: long / short,
    bar: 1.01,
    unit: "times",
    detail: [],
  });
  const { terminal, screen } = session(10_000);
  terminal.bytes = 0;
  for (let frame = 0; frame < 100; frame++) screen.drawNow();
  yield atMost({
    name: "redraw of an unchanged screen",
    value: terminal.bytes,
    bar: 0,
    unit: "bytes",
    detail: [],
  });
  const echo: number[] = [];
  for (let round = 0; round < 50; round++) {
    const startedAt = performance.now();
    terminal.type("x");
    screen.drawNow();
    echo.push(performance.now() - startedAt);
  }
  screen.stop();
  echo.sort((a, b) => a - b);
  yield atMost({
    name: "key to echo in 10,000 lines",
    value: echo[25] ?? 0,
    bar: FRAME_MS,
    unit: "ms",
    detail: [],
  });
  say("opening");
  const [bare, open]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await took(["-e", "0"], "exit"));
    open.push(await took([SEAM, "run"], "editor"));
  }
  yield atMost({
    name: "seam run to an editor beside node -e 0",
    value: pairedRatio(open, bare),
    bar: 4,
    unit: "times",
    detail: medians({ "node -e 0": bare, "seam run": open }, "ms"),
  });
};

/** How long a process takes on a terminal of its own, until it ends or its editor is drawn. */
async function took(args: readonly string[], until: "exit" | "editor"): Promise<number> {
  const command = [process.execPath, ...args].map((one) => `'${one}'`).join(" ");
  const startedAt = performance.now();
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  return new Promise((resolve) => {
    const ended = () => resolve(performance.now() - startedAt);
    child.once("exit", ended);
    child.stdout.on("data", (data: Buffer) => {
      if (until === "exit" || !data.includes("───")) return;
      ended();
      // Whose terminal is gone, ends by itself.
      child.kill("SIGKILL");
    });
  });
}

export default bench;
