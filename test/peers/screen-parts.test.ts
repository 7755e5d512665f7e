/** Pi's examples that put something around the conversation, in tmux beside Pi itself. */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inFull } from "../setup/sample.ts";
import { requirePeers } from "./pi.ts";
import { openBoth, type Part } from "./screens/both.ts";

requirePeers();

const EDITOR: Part = [/^─{20}/, /^─.* (INSERT|NORMAL)/];

test("custom-footer: tokens, cost, model and branch; and the usual one again", async () => {
  const both = await openBoth("custom-footer", { git: true, turns: [{ text: "Woven." }] });
  await both.say("weave");
  await both.show(/Woven\./);
  await both.say("/footer");
  await both.show(/Custom footer enabled/);
  const footer: Part = [/^↑100 ↓10 \$0\.000/, /mock-model \(main\)$/];
  await both.agree(footer);
  await both.say("/footer");
  await both.hide(/mock-model \(main\)$/m);
});

inFull("custom-header: the mascot above everything; and the usual one again", async () => {
  const both = await openBoth("custom-header");
  await both.agree([/█▌ {2}█▌/, /agent v0\.74\.2/]);
  await both.say("/builtin-header");
  await both.show(/Built-in header restored/);
  await both.hide(/█▌ {2}█▌/);
});

inFull(
  "border-status-editor: model, context, folder and branch in the border, no footer",
  async () => {
    const both = await openBoth("border-status-editor", { git: true, turns: [{ text: "Woven." }] });
    await both.say("weave");
    await both.show(/Woven\./);
    await both.type("more");
    await both.agree([/^more/, /^─ mock\/mock-model · .* ctx 0%\/128k · ~\/loom \(main\) ─$/]);
  },
);

test("modal-editor: escape and i switch the mode; keys move or write", async () => {
  const both = await openBoth("modal-editor");
  both.type("abc");
  await both.show(/^abc$/m);
  await both.agree(EDITOR);
  both.press("Escape");
  await both.show(/NORMAL/);
  both.press("h", "x");
  await both.show(/^ab$/m);
  await both.agree(EDITOR);
  both.press("i", "d");
  await both.show(/^abd$/m);
  await both.agree(EDITOR);
});

inFull("rainbow-editor: the word is written in seven colours that move", async () => {
  const both = await openBoth("rainbow-editor");
  both.type("so ultrathink now");
  await both.show(/^so ultrathink now$/m);
  const paint = "(?:\u001b\\[[\\d;]*m)+";
  const letters = new RegExp(`${paint}u${paint}l${paint}t`);
  for (const pane of both.panes) {
    const first = letters.exec(pane.painted())?.[0];
    expect(first).toBeDefined();
    await pane.until(() => letters.exec(pane.painted())?.[0] !== first, "another colour");
  }
});

test("widget-placement: one widget above the editor, one below", async () => {
  const both = await openBoth("widget-placement");
  await both.agree([/above/i, /below/i]);
});

test("status-line: what the turn does stands in the footer", async () => {
  const both = await openBoth("status-line", { turns: [{ text: "Woven." }] });
  await both.agree([/Ready/, /Ready/]);
  await both.say("weave");
  await both.agree([/Turn 1 complete/, /Turn 1 complete/]);
});

inFull("titlebar-spinner: the title moves while the agent works", async () => {
  const both = await openBoth("titlebar-spinner", { turns: [{ text: "Woven.", waitMs: 2_500 }] });
  await both.say("weave");
  for (const pane of both.panes) await pane.until(() => /^[⠀-⣿] /.test(pane.title), "a spinner");
  await both.show(/Woven\./);
  for (const pane of both.panes) await pane.until(() => !/^[⠀-⣿]/.test(pane.title), "a title");
});

test("working-indicator: a dot instead of the spinner, or nothing", async () => {
  const slow = { text: "Woven.", waitMs: 4_000 };
  const both = await openBoth("working-indicator", { turns: [slow, slow] });
  await both.say("/working-indicator dot");
  await both.show(/Indicator: static dot/);
  await both.say("weave");
  await both.show(/^ ● Working/m);
  await both.show(/Woven\./);
  await both.say("/working-indicator none");
  await both.show(/Indicator: hidden/);
  await both.say("weave again");
  await both.show(/^ Working/m);
});

inFull("working-message-test: the message beside the indicator is the extension's", async () => {
  const both = await openBoth("working-message-test", {
    turns: [{ text: "Woven.", waitMs: 4_000 }],
  });
  await both.say("weave");
  await both.show(/🐝|buzz|custom/i);
});

test("message-renderer: a message as the extension draws it, more of it on demand", async () => {
  const both = await openBoth("message-renderer");
  await both.say("/status warn the loom jams");
  await both.agree([/\[WARN\] the loom jams/, /\[WARN\] the loom jams/]);
  both.press("C-o");
  await both.agree([/\[WARN\] the loom jams/, /at \d/], (line) => line.replace(/\d/g, "0"));
});

test("github-issue-autocomplete: issues of the repository behind #", async () => {
  const bin = mkdtempSync(join(tmpdir(), "gh-"));
  mkdirSync(bin, { recursive: true });
  const issues = [{ number: 7, title: "Loom jams", state: "OPEN" }];
  writeFileSync(join(bin, "gh"), `#!/bin/sh\necho '${JSON.stringify(issues)}'\n`);
  chmodSync(join(bin, "gh"), 0o755);
  const both = await openBoth("github-issue-autocomplete", {
    git: true,
    remote: "https://github.com/a/b.git",
    env: { PATH: `${bin}:${process.env.PATH}` },
  });
  both.type("See #loo");
  await both.agree([/#7/, /\[open\] Loom jams/], (line) => line.replace(/\s+/g, " "));
  both.press("Tab");
  await both.show(/^See #7/m);
});

inFull("hidden-thinking-label: what stands in the place of thoughts that are hidden", async () => {
  const both = await openBoth("hidden-thinking-label", {
    turns: [{ thinking: "I look at the wool.", text: "Woven." }],
  });
  await both.say("weave");
  await both.show(/I look at the wool\./, /Woven\./);
  both.press("C-t");
  await both.hide(/I look at the wool\./);
  const answer: Part = [/^ ?Pondering\.\.\./, /Woven\./];
  await both.agree(answer, (line) => line.trim());
  await both.say("/thinking-label Spinning...");
  await both.show(/Hidden thinking label set to: Spinning\.\.\./);
  await both.agree([/^ ?Spinning\.\.\./, /Woven\./], (line) => line.trim());
});

inFull("dynamic-resources: its theme can be chosen and paints the screen", async () => {
  const both = await openBoth("dynamic-resources");
  const [pi, seam] = both.panes;
  const choose = async (name: string, ...way: string[]) => {
    pi.type("/settings");
    await pi.shows(/^\/settings/m);
    pi.press("Enter");
    await pi.shows(/Type to search/);
    pi.type("theme");
    await pi.shows(/^> theme/m);
    pi.press("Enter");
    await pi.shows(/Select color theme/);
    pi.press(...way, "Enter");
    await pi.shows(new RegExp(`Theme +${name}`));
    pi.press("Escape");
    seam.type(`/theme ${name}`);
    await seam.shows(new RegExp(`^/theme ${name}`, "m"));
    seam.press("Enter");
  };
  // Its colours are those of Pi's dark theme, so another one comes first.
  const border = /38;2;80;80;80m─{20}/;
  const isPainted = (wanted: boolean) =>
    Promise.all(
      both.panes.map((pane) =>
        pane.until(() => border.test(pane.painted()) === wanted, "the theme's border"),
      ),
    );
  await choose("light", "Down", "Down");
  await isPainted(false);
  await choose("dynamic-resources", "Up");
  await isPainted(true);
});
