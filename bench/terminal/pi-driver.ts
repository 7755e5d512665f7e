import { setTimeout as sleep } from "node:timers/promises";
import { getMarkdownTheme, type MarkdownTheme, type Terminal } from "../../src/terminal/index.ts";
import { PEERS } from "../../test/peers/pi.ts";
import { COLUMNS, CountingTerminal } from "./counting-terminal.ts";
import { ANSWER, sessionLine } from "./stream.ts";

interface Drawn {
  render(width: number): string[];
}

/** What of Pi's terminal package is used. */
interface PiTui {
  readonly TUI: new (
    terminal: Terminal,
  ) => {
    addChild(component: Drawn): void;
    start(): void;
    stop(): void;
    requestRender(): void;
  };
  readonly Text: new (text: string, paddingX: number, paddingY: number) => Drawn;
  readonly Markdown: new (
    text: string,
    paddingX: number,
    paddingY: number,
    theme: MarkdownTheme,
  ) => Drawn & { setText(text: string): void };
}

/** Longer than two of Pi's frames. */
const FRAME_MS = 35;

/** The same session and the same stream on Pi's own driver. */
export async function piBytesPerToken(lines: number): Promise<number> {
  const { TUI, Text, Markdown }: PiTui = await import(`${PEERS}/pi-tui/dist/index.js`);
  const terminal = new CountingTerminal();
  const screen = new TUI(terminal);
  for (let at = 0; at < lines; at++) screen.addChild(new Text(sessionLine(at), 0, 0));
  const answer = new Markdown("", 0, 0, getMarkdownTheme());
  screen.addChild(answer);
  screen.addChild(new Text("-".repeat(COLUMNS), 0, 0));
  screen.addChild(new Text(">", 0, 0));
  screen.start();
  await sleep(FRAME_MS * 10);
  terminal.bytes = 0;
  for (const text of ANSWER) {
    answer.setText(text);
    screen.requestRender();
    await sleep(FRAME_MS);
  }
  screen.stop();
  return terminal.bytes / ANSWER.length;
}
