/** `seam run --no-fullscreen` in tmux, which keeps what scrolls out of any part of the screen. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { Pane } from "./screens/tmux.ts";

const SEAM = fileURLToPath(new URL("../../dist/bin/seam.js", import.meta.url));

/** A widget of another height again and again, so that everything below the conversation moves. */
const RESTLESS = `export default (pi) => {
  pi.on("session_start", (_event, ctx) => {
    let height = 0;
    setInterval(() => {
      height = (height + 3) % 8;
      ctx.ui.setWidget("restless", Array.from({ length: height }, (_, at) => "widget " + at));
    }, 40).unref();
  });
};`;

test("what was said stands in the scrollback once, and nothing of what moves around it", async () => {
  const home = mkdtempSync(join(tmpdir(), "scrollback-"));
  const said = Array.from({ length: 60 }, (_, at) => `said ${at + 1}.`);
  const turns = [
    { text: "Let me look.", toolCalls: [{ name: "bash", arguments: { command: "seq 1 50" } }] },
    { text: said.join("\n\n"), chunkSize: 6, delayMs: 20 },
  ];
  writeFileSync(join(home, "turns.json"), JSON.stringify(turns));
  writeFileSync(join(home, "restless.js"), RESTLESS);
  const args = ["run", "--no-fullscreen", "--model", "scripted:turns.json", "-e", "restless.js"];
  const pane = new Pane({
    command: [process.execPath, SEAM, ...args],
    cwd: home,
    env: { HOME: home, SEAM_HOME: join(home, ".seam"), LANG: "C.UTF-8" },
    columns: 80,
    rows: 24,
  });
  onTestFinished(() => pane.close());
  await pane.shows(/widget 4/);
  pane.type("look");
  pane.press("Enter");
  await pane.shows(/said 60\.\n\n(?: widget \d\n)*─/);
  const kept = pane.history();
  expect(kept.filter((line) => line.startsWith("said "))).toEqual(said);
  expect(kept.filter((line) => /^(?:▌ look|✓ bash)/.test(line))).toHaveLength(2);
  const aboveScreen = kept.slice(0, kept.length - pane.screen().length);
  expect(aboveScreen.filter((line) => /widget|───/.test(line))).toEqual([]);
});
