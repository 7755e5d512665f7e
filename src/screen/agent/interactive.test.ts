import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { ExtensionAPI } from "../../extensions/index.ts";
import {
  createAgent,
  type EmbeddedAgent,
  type ScriptedTurn,
  scriptedModels,
} from "../../host/index.ts";
import { FakeTerminal } from "../../terminal/driver/test-kit.ts";
import { Interactive } from "./interactive.ts";

const ESC = "\x1b";
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function terminalWith(
  turns: readonly ScriptedTurn[],
  extension: (pi: ExtensionAPI) => void = () => {},
  size: [number, number] = [80, 24],
) {
  const cwd = mkdtempSync(join(tmpdir(), "screen-"));
  const terminal = new FakeTerminal(...size);
  const screen = new Interactive({
    cwd,
    terminal,
    version: "test",
    env: {},
    themePaths: [join(cwd, "themes")],
    keysFile: join(cwd, "keybindings.json"),
    elsewhere: async () => undefined,
    isAttended: () => false,
    nameOf: (path) => path,
  });
  const connection = screen.open();
  const models = scriptedModels(turns);
  const agent: EmbeddedAgent = await createAgent({
    cwd,
    models,
    mode: "tui",
    watchdog: false,
    extensions: [{ name: "demo", factory: extension }],
    ...connection,
  });
  screen.begin(agent);
  open.push({
    close: async () => {
      await agent.dispose();
      await screen.close();
    },
  });
  const shows = (text: string | RegExp) =>
    vi.waitFor(async () => expect(await terminal.shown()).toMatch(text), { timeout: 5000 });
  return { terminal, agent, screen, shows, cwd };
}

test("a prompt is answered with Markdown and tool calls in one line", async () => {
  const { terminal, shows } = await terminalWith([
    { toolCalls: [{ name: "bash", arguments: { command: "echo one; echo two" } }] },
    { text: "# Title\n\nDone with **it**." },
  ]);
  terminal.type("g", "o", "\r");
  await shows(/▌ go/);
  await shows(/✓ bash echo one; echo two\n\nTitle\n\nDone with it\./);
  terminal.type("\x0f");
  await shows(/✓ bash echo one; echo two\n {2}one\n {2}two/);
});

test("no escape sequence of a model's reaches the terminal", async () => {
  const { terminal, shows } = await terminalWith([{ text: `a${ESC}[2Jb${ESC}]0;evil\x07c` }]);
  terminal.type("x", "\r");
  await shows(/abc/);
  expect(terminal.written).not.toContain("evil");
});

test("an extension's widget, status and header are shown, and one that fails says so in its place", async () => {
  const { shows } = await terminalWith([{ text: "hi" }], (pi) => {
    pi.on("session_start", (_event, { ui }) => {
      ui.setStatus("demo", "ready");
      ui.setWidget("lines", ["line one", "line two"]);
      ui.setWidget("bad", () => ({
        render: () => {
          throw new Error("cannot draw");
        },
        invalidate() {},
      }));
      ui.setHeader(() => ({ render: () => ["my header"], invalidate() {} }));
    });
  });
  await shows(/^my header/);
  await shows(/line one\nline two/);
  await shows(/✗ The widget bad failed when it was drawn: cannot draw/);
  await shows(/ready$/);
});

test("two dialogs at once are answered one after the other", async () => {
  const answers: unknown[] = [];
  const { terminal, shows } = await terminalWith([{ text: "hi" }], (pi) => {
    pi.registerCommand("ask", {
      handler: async (_args, { ui }) => {
        answers.push(
          ...(await Promise.all([ui.confirm("First?", ""), ui.select("Second?", ["a", "b"])])),
        );
      },
    });
  });
  terminal.type(..."/ask", "\r");
  await shows(/First\?.*1 more wait/);
  terminal.type("y");
  await shows(/Second\?/);
  terminal.type(`${ESC}[B`, "\r");
  await vi.waitFor(() => expect(answers).toEqual([true, "b"]));
});

test("what is said while the agent works waits, and can be taken back", async () => {
  const { terminal, shows, agent } = await terminalWith([
    { text: "a long answer that takes its time ".repeat(20), delayMs: 40, chunkSize: 2 },
  ]);
  terminal.type("x", "\r");
  await shows(/Working/);
  terminal.type(..."later", `${ESC}\r`);
  await shows(/◌ then: later/);
  terminal.type(`${ESC}[1;3A`);
  await vi.waitFor(() => expect(agent.queue.size).toBe(0));
  await shows(/\nlater *\n/);
  terminal.type(ESC);
  await shows(/✗ stopped/);
});

test("a screen of 20 columns and one of 500 show the same session", async () => {
  const { terminal, shows } = await terminalWith(
    [{ text: "some words of an answer" }],
    undefined,
    [20, 10],
  );
  terminal.type("x", "\r");
  await shows(/some words of an\nanswer/);
  terminal.resize(500, 40);
  await shows(/some words of an answer/);
});
