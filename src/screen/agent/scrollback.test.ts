import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { ExtensionAPI } from "../../extensions/index.ts";
import { closeScreens, terminalWith } from "./test-kit.ts";

afterEach(closeScreens);

const ENTER = "\r";
const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}.`).join("\n\n");
const ofKind = (buffer: readonly string[], name: string) =>
  buffer.filter((line) => line.startsWith(`${name} `));
const byNumber = (a: string, b: string) =>
  Number.parseInt(a.slice(5)) - Number.parseInt(b.slice(5));
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}.`);

async function onOwnScreen(turns: Parameters<typeof terminalWith>[0], rows = 16) {
  return terminalWith(turns, () => {}, [60, rows], false);
}

it("without the whole screen, each line that scrolls off is kept above it once, in order", async () => {
  const { terminal, shows } = await onOwnScreen([
    { text: lines("first", 30) },
    { text: lines("second", 30) },
  ]);
  terminal.type("one", ENTER);
  await shows(/first 30\./);
  terminal.type("two", ENTER);
  await shows(/second 30\./);
  const buffer = await terminal.wholeBuffer();
  expect(ofKind(buffer, "first")).toEqual(numbered("first", 30));
  expect(ofKind(buffer, "second")).toEqual(numbered("second", 30));
  expect(buffer.filter((line) => line.startsWith("▌"))).toEqual(["▌ one", "▌ two"]);
  // Nothing of the editor and the footer scrolled off with it.
  expect(buffer.filter((line) => line.startsWith("───"))).toHaveLength(2);
});

it("what is typed stands right below what was said, not at the lower edge", async () => {
  const { terminal, shows } = await onOwnScreen([{ text: "Short." }], 30);
  terminal.type("one", ENTER);
  await shows(/Short\./);
  const rows = await terminal.rowsShown();
  const border = rows.findIndex((row) => row.startsWith("───"));
  expect(border - rows.indexOf("Short.")).toBeLessThan(4);
  expect(rows.at(-1)).toBe("");
});

it("a dialog that takes room and gives it back leaves no line twice", async () => {
  const { terminal, shows } = await onOwnScreen([{ text: lines("said", 30) }]);
  terminal.type("one", ENTER);
  await shows(/said 30\./);
  terminal.type("/settings", ENTER);
  await shows(/thinking/i);
  terminal.type("\u001b");
  await shows(/───/);
  terminal.type("x");
  await shows(/^x/m);
  expect(ofKind(await terminal.wholeBuffer(), "said")).toEqual(numbered("said", 30));
});

it("a terminal that grows and shrinks loses nothing that was said", async () => {
  const { terminal, shows } = await onOwnScreen([{ text: lines("said", 40) }]);
  terminal.type("one", ENTER);
  await shows(/said 40\./);
  for (const rows of [30, 12, 24, 8, 16]) {
    terminal.resize(60, rows);
    await shows(/───/);
  }
  const kept = new Set(ofKind(await terminal.wholeBuffer(), "said"));
  expect([...kept].toSorted(byNumber)).toEqual(numbered("said", 40));
});

it("reading further up and searching change nothing of what is kept", async () => {
  const { terminal, shows } = await onOwnScreen([{ text: lines("said", 40) }]);
  terminal.type("one", ENTER);
  await shows(/said 40\./);
  terminal.type("\u001b[5~", "\u001b[5~");
  await shows(/more below/);
  terminal.type("\u001b[6~", "\u001b[6~", "\u001b[6~");
  await shows(/said 40\./);
  expect(ofKind(await terminal.wholeBuffer(), "said").slice(0, 20)).toEqual(
    numbered("said", 40).slice(0, 20),
  );
});

it("what is not kept yet stays on the terminal when the user leaves, and the screen is empty below it", async () => {
  const { terminal, shows, screen } = await onOwnScreen([{ text: lines("said", 30) }]);
  terminal.type("one", ENTER);
  await shows(/said 30\./);
  const above = (await terminal.wholeBuffer()).length - terminal.rows;
  const kept = ofKind((await terminal.wholeBuffer()).slice(0, above), "said");
  await screen.close();
  const left = ofKind(terminal.left.split("\n"), "said");
  expect([...kept, ...left]).toEqual(numbered("said", 30));
});

it("a new session begins below what was said in the one before", async () => {
  const { terminal, shows } = await onOwnScreen([{ text: lines("said", 6) }]);
  terminal.type("one", ENTER);
  await shows(/said 6\./);
  terminal.type("/new", ENTER);
  await shows(/───/);
  await expect
    .poll(async () => ofKind((await terminal.wholeBuffer()).slice(0, -16), "said"))
    .toEqual(numbered("said", 6));
});

it("a window that becomes wider loses nothing, however the text is wrapped then", async () => {
  const long = (at: number) => `said ${at}. ${"lorem ipsum dolor ".repeat(8)}`;
  const text = Array.from({ length: 30 }, (_, at) => long(at + 1)).join("\n\n");
  const { terminal, shows } = await onOwnScreen([{ text }]);
  terminal.type("one", ENTER);
  await shows(/said 30\./);
  for (const columns of [120, 60, 200, 40, 90]) {
    terminal.resize(columns, 16);
    await shows(new RegExp(`^─{${columns}}$`, "m"));
  }
  const all = (await terminal.wholeBuffer()).join("\n");
  const kept = new Set(all.match(/^said \d+\./gm));
  expect([...kept].toSorted(byNumber)).toEqual(numbered("said", 30));
});

it("thinking that is hidden when a part of it has scrolled off takes nothing of the answer with it", async () => {
  const { terminal, shows } = await onOwnScreen([
    { thinking: lines("thought", 20), text: lines("said", 12) },
  ]);
  terminal.type("one", ENTER);
  await shows(/said 12\./);
  terminal.type("\u0014");
  await shows(/───/);
  terminal.type("x");
  await shows(/^x/m);
  const kept = new Set(ofKind(await terminal.wholeBuffer(), "said"));
  expect([...kept].toSorted(byNumber)).toEqual(numbered("said", 12));
});

it("a command of the user's is kept when it has ended, as it ended", async () => {
  const { terminal, shows, cwd } = await onOwnScreen([{ text: lines("said", 30) }]);
  terminal.type("! while [ ! -e go ]; do sleep 0.02; done; echo over", ENTER);
  await shows(/◌ runs/);
  terminal.type("one", ENTER);
  await shows(/said 30\./);
  writeFileSync(join(cwd, "go"), "");
  await expect.poll(async () => (await terminal.wholeBuffer()).join("\n")).toMatch(/^ {2}over$/m);
  const buffer = await terminal.wholeBuffer();
  expect(buffer.filter((line) => line.includes("◌ runs"))).toEqual([]);
  expect(ofKind(buffer, "said")).toEqual(numbered("said", 30));
});

it("a reload leaves what was said where it is", async () => {
  const { terminal, shows } = await onOwnScreen([{ text: lines("said", 30) }]);
  terminal.type("one", ENTER);
  await shows(/said 30\./);
  terminal.type("/reload", ENTER);
  await shows(/said 30\.[\s\S]*are loaded/);
  const buffer = await terminal.wholeBuffer();
  expect(ofKind(buffer, "said")).toEqual(numbered("said", 30));
  expect(buffer.filter((line) => line === "▌ one")).toHaveLength(1);
});

it("a pause in mid-answer keeps what is whole, and the answer once, when it is whole too", async () => {
  // The terminal is somebody else's for a moment, as it is after ctrl+z.
  vi.stubEnv("VISUAL", "true");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { terminal, shows, screen } = await onOwnScreen([
    { text: lines("first", 4) },
    { text: lines("said", 30), chunkSize: 4, delayMs: 50 },
  ]);
  terminal.type("one", ENTER);
  await shows(/first 4\./);
  terminal.type("two", ENTER);
  await shows(/said 2\./);
  terminal.type("\u0007");
  expect(terminal.isOn).toBe(false);
  const leftInPause = terminal.left.split("\n");
  expect(ofKind(leftInPause, "said")).toEqual([]);
  await vi.waitFor(() => expect(terminal.isOn).toBe(true));
  await shows(/said 30\./);
  const kept = (await terminal.wholeBuffer()).slice(0, -terminal.rows);
  await screen.close();
  const all = [...kept, ...leftInPause, ...terminal.left.split("\n")];
  expect(ofKind(all, "first").toSorted()).toEqual(numbered("first", 4));
  expect(ofKind(all, "said")).toEqual(numbered("said", 30));
});

it("what has the keyboard is seen on a small terminal, whatever stands above it", async () => {
  const widget = (pi: ExtensionAPI) =>
    pi.on("session_start", (_event, ctx) => {
      ctx.ui.setWidget("list", ["one", "two", "three", "four", "five"]);
    });
  const { terminal, shows } = await terminalWith([], widget, [60, 8], false);
  await shows(/five/);
  terminal.type("typed");
  await shows(/^typed/m);
});
