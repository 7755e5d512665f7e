import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import {
  KeybindingsManager,
  setKeybindings,
  stripTerminalSequences,
} from "../../terminal/index.ts";
import { closeScreens, terminalWith } from "./test-kit.ts";

const ESC = "\x1b";
afterEach(closeScreens);

test("a prompt is answered with Markdown and tool calls in one line", async () => {
  const { terminal, shows } = await terminalWith([
    { toolCalls: [{ name: "bash", arguments: { command: "echo one; echo two" } }] },
    { text: "# Title\n\nDone with **it**." },
  ]);
  terminal.type("g", "o", "\r");
  await shows(/▌ go/);
  // A call that took a second, as on a busy machine, says how long it took.
  await shows(/✓ bash echo one; echo two( {2}[\d.]+ s)?\n\nTitle\n\nDone with it\./);
  terminal.type("\x0f");
  await shows(/✓ bash echo one; echo two( {2}[\d.]+ s)?\n {2}one\n {2}two/);
});

test("a skill is one line, and whole on demand", async () => {
  const { terminal, agent, shows } = await terminalWith([{ text: "Dug." }]);
  await agent.prompt('<skill name="dig" location="/dig">\nDig deep.\n</skill>\n\nin the garden');
  await shows("Dug.");
  const shown = await terminal.shown();
  expect(shown).toContain("skill dig");
  expect(shown).toContain("in the garden");
  expect(shown).not.toContain("Dig deep.");
  terminal.type("\x0f");
  await shows("Dig deep.");
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
  await shows(/ line one\n line two/);
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

test.each([3, 4, 5, 6, 8])("a screen of %i rows shows what is typed", async (rows) => {
  const { terminal, shows } = await terminalWith([{ text: "Hello" }], undefined, [80, rows]);
  terminal.type("what I type");
  await shows("what I type");
  terminal.type("\r", "more");
  await shows("more");
});

test("what an extension says when its session begins stands below the session", async () => {
  const { terminal, shows } = await terminalWith([{ text: "hi" }], (pi) => {
    pi.on("session_start", (_event, { ui }) => ui.notify("the loom is ready"));
  });
  await shows(/the loom is ready/);
  terminal.type(..."/new", "\r");
  await shows(/the loom is ready/);
});

test("a text is searched in the session and found further up", async () => {
  const { terminal, shows } = await terminalWith([
    { text: Array.from({ length: 60 }, (_, at) => `row ${at}`).join("\n\n") },
  ]);
  terminal.type("x", "\r");
  await shows(/row 59/);
  terminal.type("\x13", ..."row 7");
  await shows(/Search in this session/);
  await shows(/^row 7$/m);
  terminal.type(ESC);
  await shows(/row 7[\s\S]*more below/);
});

test("a text that was edited outside is there at once", async () => {
  process.env.VISUAL = "printf more >>";
  const { terminal, shows } = await terminalWith([]);
  terminal.type(..."some ", "\x07");
  await shows(/^some more/m);
  delete process.env.VISUAL;
});

test("mistakes in the file of keys are told, the rest of it counts", async () => {
  const { terminal, shows, cwd } = await terminalWith([{ text: "hi" }]);
  const keys = {
    "app.tools.expand": "ctrl+x",
    "app.nothing": "a",
    "app.clear": "hyper+b",
    "tui.input.submit": 5,
  };
  writeFileSync(join(cwd, "keybindings.json"), JSON.stringify(keys));
  terminal.type(..."/reload", "\r");
  await shows(/There\s+is\s+no\s+action\s+"app.nothing"/);
  await shows(/"app.clear":\s+"hyper\+b"\s+is\s+no\s+key/);
  await shows(/"tui.input.submit":\s+5\s+is\s+no\s+key/);
  terminal.type(..."/hotkeys", "\r");
  await shows(/ctrl\+x +show tool calls whole/);
  setKeybindings(new KeybindingsManager());
});

test("a theme is chosen, follows its file, and one with a mistake leaves the one in use", async () => {
  const { terminal, shows, cwd } = await terminalWith([{ text: "hi" }]);
  const theme = (thinkingOff: string) => {
    mkdirSync(join(cwd, "themes"), { recursive: true });
    writeFileSync(
      join(cwd, "themes/mine.json"),
      JSON.stringify({ name: "mine", vars: { blue: "#0000ff" }, colors: { thinkingOff } }),
    );
  };
  theme("blue");
  terminal.type(..."/theme mine", "\r");
  await vi.waitFor(() => expect(terminal.written).toContain("\x1b[38;5;21m─"));
  theme("#ff0000");
  await vi.waitFor(() => expect(terminal.written).toContain("\x1b[38;5;196m─"));
  theme("nowhere");
  await shows(/"thinkingOff" names\s+"nowhere",\s+which\s+is/);
});

test("a long paste is shown by its beginning", async () => {
  const { terminal, shows } = await terminalWith([{ text: "read" }]);
  const paste = Array.from({ length: 100_000 }, (_, at) => `line ${at}`).join("\n");
  terminal.type(`${ESC}[200~${paste}${ESC}[201~`);
  await shows(/\[paste #1 \+100000 lines\]/);
  terminal.type("\r");
  await shows(/line 39\n▌ … [\d,]+ more characters, ctrl\+o shows more/);
});

test("the session tree shows the talk, everything or prompts only, and goes to a point of it", async () => {
  const { terminal, shows } = await terminalWith([
    { toolCalls: [{ name: "bash", arguments: { command: "echo spun" } }] },
    { text: "first answer" },
    { text: "second answer" },
  ]);
  terminal.type(..."one", "\r");
  await shows(/first answer/);
  terminal.type(..."two", "\r");
  await shows(/second answer/);
  terminal.type(..."/tree", "\r");
  await shows(/you: one[\s\S]*first answer[\s\S]*you: two[\s\S]*→ ● second answer/);
  terminal.type("\x0f");
  await shows(/calls bash\n[\s\S]*✓ bash/);
  terminal.type("\x0f");
  await shows(/you: one *\n *you: two/);
  terminal.type(..."one", "\r");
  await shows(/What you leave stays in the session/);
  terminal.type("\r");
  await vi.waitFor(async () => expect(await terminal.shown()).not.toContain("second answer"));
  await shows(/^one *$/m);
});

test("what was said here stays on the terminal when it is left, and of a long talk the end", async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => `row ${at}`).join("\n\n");
  const { terminal, screen, shows } = await terminalWith([
    { text: "**Hello** there" },
    { text: rows(400) },
  ]);
  terminal.type(..."greet", "\r");
  await shows(/Hello there/);
  terminal.type(..."/hotkeys", "\r");
  await shows(/show tool calls whole/);
  await screen.close();
  expect(stripTerminalSequences(terminal.left)).toMatch(/^\n▌ greet\n\nHello there\n\n/);
  screen.open();
  terminal.type(..."count", "\r");
  await shows(/row 399/);
  await screen.close();
  const lines = terminal.left.split("\n");
  expect(lines).toHaveLength(501);
  expect(lines.at(-2)).toBe("row 399");
});

test("a session that is only looked at leaves its last prompt and the answer; one without a prompt leaves nothing", async () => {
  const { terminal, screen, shows, agent } = await terminalWith([
    { text: "first" },
    { text: "second" },
  ]);
  await screen.close();
  expect(terminal.left).toBe("");
  screen.open();
  terminal.type(..."one", "\r");
  await shows(/first/);
  terminal.type(..."two", "\r");
  await shows(/second/);
  screen.begin(agent);
  await screen.close();
  expect(stripTerminalSequences(terminal.left)).toBe("\n▌ two\n\nsecond\n");
});
