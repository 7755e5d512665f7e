import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import xterm from "@xterm/headless";
import { expect, it, onTestFinished, vi } from "vitest";
import { whyNoTerminal } from "./cli/terminal.ts";

const SEAM = join(import.meta.dirname, "../dist/bin/seam.js");
/** How long everything takes in each direction. */
const DELAY_MS = 150;

/** `seam run` on a terminal at the far end of a slow line, which answers what it is asked. */
function farAway(turns: readonly object[]) {
  const home = mkdtempSync(join(tmpdir(), "seam-slow-"));
  writeFileSync(join(home, "turns.json"), JSON.stringify(turns));
  const run = `'${process.execPath}' '${SEAM}' run --model scripted:turns.json`;
  const command = `stty cols 80 rows 24; ${run}; read line; echo "heard [$line]"; sleep 30`;
  const env = { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: home,
    env: { ...env, SHELL: "/bin/sh" },
  });
  onTestFinished(() => void child.kill());
  child.stdin.on("error", () => {});
  const screen = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  const counted = { bytes: 0, replies: 0 };
  const later = (work: () => void) => void setTimeout(work, DELAY_MS);
  const type = (keys: string) => later(() => void child.stdin.write(keys));
  child.stdout.on("data", (part: Buffer) =>
    later(() => {
      counted.bytes += part.length;
      screen.write(part);
    }),
  );
  screen.onData((reply) => {
    counted.replies++;
    type(reply);
  });
  const shown = () =>
    Array.from({ length: 24 }, (_, row) => {
      const { active } = screen.buffer;
      return active.getLine(active.viewportY + row)?.translateToString(true);
    }).join("\n");
  const stands = (words: RegExp) =>
    vi.waitFor(() => expect(shown()).toMatch(words), { timeout: 30_000, interval: 20 });
  return { type, stands, counted };
}

it.skipIf(whyNoTerminal !== undefined)(
  "over a slow line the terminal is asked once, keys cost few bytes, and no answer is left to the shell",
  async () => {
    const { type, stands, counted } = farAway([{ text: "The loom is threaded." }]);
    await stands(/all keys/);
    // What it is asked at the start is answered long after the first key can be typed.
    type("thread");
    await stands(/^thread/m);
    await vi.waitFor(() => expect(counted.replies).toBeGreaterThan(0));
    const { bytes } = counted;
    for (const key of " it now") type(key);
    await stands(/^thread it now/m);
    expect(counted.bytes - bytes).toBeLessThan(1_000);
    type("\r");
    await stands(/The loom is threaded\./);
    // Four things are asked at the start, and nothing after that.
    expect(counted.replies).toBeLessThanOrEqual(4);
    type("\x04");
    await stands(/To go on/);
    type("\n");
    await stands(/heard \[\]/);
  },
);
