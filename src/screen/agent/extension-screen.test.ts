import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { ExtensionUIContext } from "../../extensions/index.ts";
import { closeScreens, terminalWith } from "./test-kit.ts";

const ESC = "\x1b";
afterEach(closeScreens);

test("a shortcut of an extension runs, and one that listens to the keyboard changes what is typed", async () => {
  const { terminal, shows } = await terminalWith([], (pi) => {
    pi.registerShortcut("ctrl+x", { handler: ({ ui }) => ui.notify("the shortcut ran") });
    pi.on("session_start", (_event, { ui }) => {
      ui.onTerminalInput((data) => (data === "q" ? { data: "Q" } : { consume: data === "z" }));
    });
  });
  terminal.type("\x18");
  await shows(/the shortcut ran/);
  terminal.type(..."qzq");
  await shows(/^QQ *$/m);
});

test("what is drawn too wide or too high is cut, and ctrl+c three times closes what does not close", async () => {
  const { terminal, shows } = await terminalWith([], (pi) => {
    pi.registerCommand("over", {
      handler: async (_args, { ui }) => {
        const lines = Array.from({ length: 50 }, (_, at) => `row ${at}`);
        const render = (width: number) => ["x".repeat(width * 3), ...lines];
        await ui.custom(() => ({ render, invalidate() {} }), { overlay: true });
      },
    });
  });
  terminal.type(..."/over", "\r");
  await shows(/^x{80}\nrow 0 *$/m);
  await shows(/… 30 more lines have no room here/);
  terminal.type("\x03", "\x03", "\x03");
  await vi.waitFor(async () => expect(await terminal.shown()).not.toContain("row 0"));
  terminal.type(..."typed");
  await shows(/^typed *$/m);
});

test("an overlay of an extension that is loaded anew is gone, and the keyboard is back", async () => {
  const { terminal, agent, shows } = await terminalWith([], (pi) => {
    pi.registerCommand("over", {
      handler: async (_args, { ui }) => {
        void ui.custom(() => ({ render: () => ["an overlay"], invalidate() {} }), {
          overlay: true,
        });
      },
    });
  });
  terminal.type(..."/over", "\r");
  await shows(/an overlay/);
  await agent.reload();
  await vi.waitFor(async () => expect(await terminal.shown()).not.toContain("an overlay"));
  terminal.type(..."typed");
  await shows(/^typed *$/m);
});

test("a component that says how wide it is stands in the middle with that width", async () => {
  const { terminal, shows } = await terminalWith([], (pi) => {
    pi.registerCommand("over", {
      handler: async (_args, { ui }) => {
        const component = { width: 20, render: (width: number) => ["=".repeat(width)] };
        await ui.custom(() => ({ ...component, invalidate() {} }), { overlay: true });
      },
    });
  });
  terminal.type(..."/over", "\r");
  await shows(/^ {30}={20}$/m);
});

test("entries and texts are drawn as an extension wants; the model's text stays what it is", async () => {
  const { terminal, shows, agent } = await terminalWith([{ text: "the loom" }], (pi) => {
    pi.registerMarkdownTransformer((text) => text.replaceAll("loom", "LOOM"));
    pi.registerEntryRenderer<{ count: number }>("knots", ({ data }) => ({
      render: () => [`knots: ${data?.count}`],
      invalidate() {},
    }));
    pi.registerCommand("knot", { handler: async () => pi.appendEntry("knots", { count: 3 }) });
  });
  terminal.type("x", "\r");
  await shows(/the LOOM/);
  terminal.type(..."/knot", "\r");
  await shows(/knots: 3/);
  expect(JSON.stringify(agent.session.getBranch())).toContain("the loom");
});

test("a call and its result are drawn by the extension, without a frame if it brings its own", async () => {
  const { terminal, shows } = await terminalWith(
    [{ toolCalls: [{ name: "spin", arguments: { wool: "red" } }] }, { text: "Spun." }],
    (pi) => {
      const line = (text: string) => ({ render: () => [text], invalidate() {} });
      pi.registerTool({
        name: "spin",
        label: "Spin",
        description: "spins",
        parameters: { type: "object", properties: { wool: { type: "string" } } },
        renderShell: "self",
        renderCall: (args) => line(`spins ${String(args.wool)}`),
        renderResult: (_result, { expanded }) => line(expanded ? "all of the yarn" : "yarn"),
        execute: async () => ({ content: [{ type: "text", text: "ok" }], details: {} }),
      });
    },
  );
  terminal.type("x", "\r");
  await shows(/^spins red\nyarn\n\nSpun\.$/m);
  terminal.type("\x0f");
  await shows(/^spins red\nall of the yarn$/m);
});

test("every method of the user interface can be called, also with nothing to say", async () => {
  let ui: ExtensionUIContext | undefined;
  const { shows, terminal } = await terminalWith([{ text: "hi" }], (pi) => {
    pi.on("session_start", (_event, ctx) => {
      ui = ctx.ui;
    });
  });
  await vi.waitFor(() => expect(ui).toBeDefined());
  ui?.setEditorText("some ");
  ui?.pasteToEditor("text");
  expect(ui?.getEditorText()).toBe("some text");
  ui?.setTitle("a title");
  expect(terminal.title).toBe("a title");
  expect(ui?.getAllThemes().map(({ name }) => name)).toEqual(["dark", "light"]);
  expect(ui?.setTheme("nowhere")).toMatchObject({ success: false });
  expect(ui?.setTheme("light")).toEqual({ success: true });
  expect(ui?.getTheme("dark")?.name).toBe("dark");
  ui?.setToolsExpanded(true);
  expect(ui?.getToolsExpanded()).toBe(true);
  ui?.setStatus("wool", "soft");
  await shows(/soft$/);
  ui?.setStatus("wool", undefined);
  ui?.setWidget("wool", ["a widget"], { placement: "belowEditor" });
  await shows(/─\n a widget\n/);
  ui?.setWidget("wool", undefined);
  ui?.setFooter(() => ({ render: () => ["my footer"], invalidate() {} }));
  await shows(/my footer$/);
  ui?.setFooter(undefined);
  ui?.setHiddenThinkingLabel();
  ui?.setWorkingMessage();
  ui?.setWorkingIndicator();
  ui?.setWorkingVisible(true);
  ui?.setHeader(undefined);
  await shows(/context/);
});

test("a picture from the clipboard goes along with the prompt", async () => {
  const { terminal, shows, agent, cwd } = await terminalWith([{ text: "I see." }]);
  const bin = join(cwd, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "wl-paste"), "#!/bin/sh\nprintf '\\211PNG\\r\\n\\032\\nrest'\n");
  chmodSync(join(bin, "wl-paste"), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${bin}:${before}`;
  terminal.type("\x16");
  await shows(/\[image #1\]/);
  process.env.PATH = before;
  terminal.type("\r");
  await shows(/\[1 image\(s\)\][\s\S]*I see\./);
  expect(JSON.stringify(agent.session.getBranch())).toContain("image/png");
});

test("the conversation is written to a file, never over one that is there", async () => {
  const { terminal, shows, cwd } = await terminalWith([
    { toolCalls: [{ name: "bash", arguments: { command: "echo spun" } }] },
    { text: "Spun." },
  ]);
  terminal.type(..."spin", "\r");
  await shows(/Spun\./);
  terminal.type(..."/export talk.md", "\r");
  await vi.waitFor(() => expect(existsSync(join(cwd, "talk.md"))).toBe(true));
  const text = readFileSync(join(cwd, "talk.md"), "utf8");
  expect(text).toBe("## You\n\nspin\n\n- bash `echo spun`\n\nSpun.\n");
  terminal.type(..."/export talk.md", "\r");
  await shows(/EEXIST|there is already|already/);
});

test("settings of this run are changed in one list", async () => {
  const { terminal, shows, agent } = await terminalWith([]);
  terminal.type(..."/settings", "\r");
  await shows(/→ Theme/);
  terminal.type(`${ESC}[B`, "\r");
  await vi.waitFor(() => expect(agent.thinkingLevel).toBe("minimal"));
  terminal.type(ESC);
  await shows(/seam config/);
});
