/** Pi's examples that take the keyboard: overlays, games and forms, in tmux beside Pi itself. */
import { expect, test } from "vitest";
import { inFull } from "../setup/sample.ts";
import { requirePeers } from "./pi.ts";
import { type Both, openBoth } from "./screens/both.ts";

requirePeers();

const withoutNumbers = (line: string) => line.replace(/(?<= .*)\d+/g, "0");

async function closed(both: Both): Promise<void> {
  both.press("Escape");
  await both.hide(/[╭╰│]/);
}

test("overlay-test: it stands in the middle, wide characters and all, and takes what is typed", async () => {
  const both = await openBoth("overlay-test");
  await both.say("/overlay-test");
  await both.show(/Overlay Test/);
  await both.agreeOnBoxes();
  both.type("wool 日本");
  await both.show(/wool 日本/);
  both.press("Down", "Down");
  await both.show(/▶ Settings/);
  await both.agreeOnBoxes();
  both.press("Up", "Up", "Enter");
  await both.show(/Search: "wool 日本"/);
  await both.hide(/[╭╰│]/);
});

test("overlay-qa-tests: nine anchors, margins, shares of the screen, edges and heights", async () => {
  const both = await openBoth("overlay-qa-tests");
  const cycles = { "overlay-anchors": 9, "overlay-margins": 5, "overlay-percent": 5 };
  for (const [command, count] of Object.entries(cycles)) {
    await both.say(`/${command}`);
    const seen = new Set<string>();
    for (let at = 0; at < count; at++) {
      await both.show(/[╭╰│]/);
      seen.add((await both.agreeOnBoxes()).join("\n"));
      if (at === count - 1) break;
      const before = both.panes.map((pane) => pane.screen().join("\n"));
      both.press("Space");
      for (const [which, pane] of both.panes.entries()) {
        await pane.until((lines) => lines.join("\n") !== before[which], "another overlay");
      }
    }
    expect([command, seen.size]).toEqual([command, count]);
    await closed(both);
  }
  for (const command of ["overlay-edge", "overlay-maxheight"]) {
    await both.say(`/${command}`);
    await both.show(/[╭╰│]/);
    await both.agreeOnBoxes();
    await closed(both);
  }
});

inFull(
  "overlay-qa-tests: stacked, hidden for a while, beside the editor, and in motion",
  async () => {
    const both = await openBoth("overlay-qa-tests", { columns: 120 });
    await both.say("/overlay-stack");
    await both.show(/front \(blue border\)/);
    await both.agreeOnBoxes();
    both.press("Escape");
    await both.hide(/front \(blue border\)/);
    await both.agreeOnBoxes();
    both.press("Escape");
    await both.hide(/middle \(green border\)/);
    both.press("Escape");
    await both.show(/Closed in order: 3, 2, 1|Closed in order/);
    await both.say("/overlay-sidepanel");
    await both.show(/[╭╰│]/);
    both.press("Down");
    await both.agreeOnBoxes();
    for (const pane of both.panes) pane.resize(90, 40);
    await both.hide(/[╭╰│]/);
    for (const pane of both.panes) pane.resize(120, 40);
    await both.show(/[╭╰│]/);
    await both.agreeOnBoxes();
    await closed(both);
    await both.say("/overlay-toggle");
    await both.show(/[╭╰│]/);
    both.press("t");
    await both.hide(/[╭╰│]/);
    await both.show(/[╭╰│]/);
    await both.agreeOnBoxes(withoutNumbers);
    await closed(both);
    await both.say("/overlay-animation");
    await both.show(/[╭╰│]/);
    await both.agreeOn((lines) => (lines.some((line) => /│/.test(line)) ? ["it moves"] : []));
    await closed(both);
  },
);

test("overlay-qa-tests: panels that leave the keyboard to others, and give it on", async () => {
  const both = await openBoth("overlay-qa-tests", { columns: 120 });
  await both.say("/overlay-passive");
  await both.show(/[╭╰│]/);
  both.type("wool");
  await both.show(/wool/);
  await both.agreeOnBoxes(withoutNumbers);
  await closed(both);
  await both.say("/overlay-focus");
  await both.show(/[╭╰│]/);
  await both.agreeOnBoxes();
  for (const name of ["Alpha", "Beta", "Gamma", "Controller"]) {
    both.press("Tab");
    await both.show(new RegExp(`Current focus: ${name}`));
    await both.agreeOnBoxes();
  }
  await closed(both);
  await both.say("/overlay-streaming");
  await both.show(/[╭╰│]/);
  both.press("Tab");
  both.type("yarn");
  await both.show(/yarn/);
  await closed(both);
});

inFull("snake: it runs, is paused and saved, and goes on where it was", async () => {
  const both = await openBoth("snake", { rows: 30 });
  await both.say("/snake");
  await both.show(/SNAKE │ Score: 0/, /██/);
  both.press("Escape");
  await both.hide(/SNAKE/);
  await both.say("/snake");
  await both.show(/PAUSED Press any key to continue/);
  const frame = (line: string) =>
    line.replace(/[◆▓█]/g, " ").replace(/Score: \d+ │ High: \d+ */, "");
  await both.agreeOnBoxes(frame);
  both.press("q");
  await both.hide(/SNAKE/);
});

inFull("space-invaders: the field is Pi's, shots fly, and the keyboard comes back", async () => {
  const both = await openBoth("space-invaders");
  await both.say("/invaders");
  await both.show(/SPACE INVADERS │ Score: 0/, /═▲═/);
  const border = (line: string) => (/[╭╰├]/.test(line) ? line : line.replace(/│.*│/, "│ │"));
  await both.agreeOnBoxes(border);
  both.press("Space");
  both.press("Escape");
  await both.hide(/SPACE INVADERS/);
  both.type("back again");
  await both.show(/^back again$/m);
});

test("tic-tac-toe: the board, a move of the person's, and the session's name", async () => {
  const both = await openBoth("tic-tac-toe", { turns: [{ text: "Let me think." }] });
  await both.say("/tic-tac-toe");
  await both.show(/Turn: X \(You\)/);
  await both.agree([/─ Tic-Tac-Toe ─/, /ENTER play/]);
  both.press("Enter");
  await both.show(/Player X played/, /Agent is thinking/);
  await both.agree([/─ Tic-Tac-Toe ─/, /Agent is thinking/]);
  for (const pane of both.panes) {
    await pane.until(() => pane.title.includes("Tic-Tac-Toe"), "the title");
  }
});
