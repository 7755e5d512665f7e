import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { StreamingMarkdown } from "../src/screen/markdown/streaming-markdown.ts";
import { Transcript } from "../src/screen/transcript/transcript.ts";
import { type Component, getMarkdownTheme, TerminalScreen } from "../src/terminal/index.ts";
import { requirePeers } from "../test/peers/pi.ts";
import { atMost, type Bench, medians, pairedRatio } from "./frame.ts";
import { CountingTerminal } from "./terminal/counting-terminal.ts";
import { piBytesPerToken } from "./terminal/pi-driver.ts";
import { ANSWER, sessionLine } from "./terminal/stream.ts";

const FRAME_MS = 16;
const ROUNDS = 15;
const SEAM = fileURLToPath(new URL("../dist/bin/seam.js", import.meta.url));

/** A session of so many lines, with an answer that grows at its end and an editor below. */
function session(lines: number) {
  const terminal = new CountingTerminal();
  const transcript = new Transcript();
  const line = (text: string): Component => ({ render: () => [text], invalidate() {} });
  for (let at = 0; at < lines; at++) transcript.add(line(sessionLine(at)));
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
  for (const text of ANSWER) {
    answer.setText(text);
    screen.drawNow();
  }
  screen.stop();
  return terminal.bytes / ANSWER.length;
}

const bench: Bench = async function* (say) {
  requirePeers();
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
  const inPi = await piBytesPerToken(10_000);
  yield atMost({
    name: "the same beside Pi's driver",
    value: long / inPi,
    bar: 2,
    unit: "times",
    detail: [{ name: "Pi 0.74.2", value: inPi, unit: "bytes" }],
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
