/** Pi's examples whose tools are drawn or ask something, in tmux beside Pi itself. */
import { expect, test } from "vitest";
import { inFull } from "../setup/sample.ts";
import { requirePeers } from "./pi.ts";
import { openBoth, type Part } from "./screens/both.ts";

requirePeers();

const call = (name: string, input: Record<string, unknown>) => ({ toolCalls: [{ name, input }] });
/** Pi keeps a column free at the left of everything. */
const trimmed = (line: string) => line.trim();

const FILES = { "wool.txt": "one\ntwo\nthree\n" };
const WORK = [
  call("read", { path: "wool.txt" }),
  call("bash", { command: "echo spun" }),
  call("edit", { path: "wool.txt", edits: [{ oldText: "two", newText: "2" }] }),
  call("write", { path: "new.txt", content: "a\nb\n" }),
  { text: "Woven." },
];

test("built-in-tool-renderer: calls and results as the extension draws them", async () => {
  const both = await openBoth("built-in-tool-renderer", { files: FILES, turns: WORK });
  await both.say("weave");
  await both.show(/Woven\./);
  const rows = (lines: readonly string[]) => {
    const from = lines.findIndex((line) => /read .*wool\.txt/.test(line));
    const to = lines.findIndex((line) => /Woven\./.test(line));
    return from === -1
      ? []
      : lines
          .slice(from, to)
          .map(trimmed)
          .filter((line) => line !== "");
  };
  const short = await both.agreeOn(rows);
  expect(short.length).toBeGreaterThan(3);
  both.press("C-o");
  await both.show(/\+.*2/);
  await both.agreeOn(rows);
});

inFull("minimal-mode: nothing but the call, and everything on demand", async () => {
  const both = await openBoth("minimal-mode", { files: FILES, turns: WORK });
  await both.say("weave");
  await both.show(/Woven\./);
  const rows = (lines: readonly string[]) => {
    const from = lines.findIndex((line) => /read .*wool\.txt/.test(line));
    const to = lines.findIndex((line) => /Woven\./.test(line));
    return from === -1
      ? []
      : lines
          .slice(from, to)
          .map(trimmed)
          .filter((line) => line !== "");
  };
  const short = await both.agreeOn(rows);
  expect(short.length).toBe(4);
  both.press("C-o");
  await both.show(/three/);
  // What a tool says when it is done is in the words of either.
  const said = (line: string) => line.replace(/^(Successfully|Changed|Wrote) .*/, "done");
  await both.agreeOn((lines) => rows(lines).map(said));
});

test("question: a list in the place of the editor, an answer of one's own, and how it is drawn", async () => {
  const ask = call("question", {
    question: "Which wool?",
    options: [{ label: "Red" }, { label: "Blue", description: "like the sea" }],
  });
  const both = await openBoth("question", { turns: [ask, { text: "Woven." }] });
  await both.say("weave");
  const form: Part = [/^ ?Which wool\?/, /Esc/];
  await both.show(/1\. Red/);
  await both.agree(form);
  both.press("Down");
  await both.show(/> ?2\. Blue|→ ?2\. Blue|❯ ?2\. Blue/);
  await both.agree(form);
  both.press("Enter");
  await both.show(/Woven\./);
  await both.agree([/question Which wool/, /✓ .*Blue/], trimmed);
});

test("questionnaire: tabs, an answer to each, and a submit at the end", async () => {
  const ask = call("questionnaire", {
    questions: [
      { id: "wool", label: "Wool", prompt: "Which wool?", options: [{ value: "r", label: "Red" }] },
      { id: "size", label: "Size", prompt: "How wide?", options: [{ value: "9", label: "Nine" }] },
    ],
  });
  const both = await openBoth("questionnaire", { turns: [ask, { text: "Woven." }] });
  await both.say("weave");
  await both.show(/Which wool\?/);
  await both.agree([/□ Wool|■ Wool/, /Esc/]);
  both.press("Enter");
  await both.show(/How wide\?/);
  await both.agree([/□ Wool|■ Wool/, /Esc/]);
  both.press("Enter");
  await both.show(/Submit|submit/);
  both.press("Enter");
  await both.show(/Woven\./);
  await both.agree([/✓ wool/, /✓ size/], trimmed);
});

test("todo: the calls are drawn, and /todos shows the list until escape", async () => {
  const turns = [
    call("todo", { action: "add", text: "gather" }),
    call("todo", { action: "add", text: "weave" }),
    call("todo", { action: "toggle", id: 1 }),
    { text: "Woven." },
  ];
  const both = await openBoth("todo", { turns });
  await both.say("weave");
  await both.show(/Woven\./);
  const rows = (lines: readonly string[]) => {
    const from = lines.findIndex((line) => /todo add "gather"/.test(line));
    const to = lines.findIndex((line) => /Woven\./.test(line));
    return from === -1
      ? []
      : lines
          .slice(from, to)
          .map(trimmed)
          .filter((line) => line !== "");
  };
  await both.agreeOn(rows);
  await both.say("/todos");
  await both.show(/1\/2 completed/);
  await both.agree([/─ Todos ─/, /Escape/]);
  both.press("Escape");
  await both.hide(/1\/2 completed/);
});

inFull("tools: a list of switches that is kept in the session", async () => {
  const both = await openBoth("tools");
  await both.say("/tools");
  await both.show(/Tool Configuration/);
  const rows = (lines: readonly string[]) =>
    lines.filter(
      (line) => /\b(enabled|disabled)\b/.test(line) && /\b(bash|read|edit)\b/.test(line),
    );
  await both.agreeOn(rows);
  both.press("Enter");
  await both.show(/disabled/);
  await both.agreeOn(rows);
  both.press("Escape");
  await both.hide(/Tool Configuration/);
});

test("interactive-shell: the terminal is handed to a program and comes back", async () => {
  const both = await openBoth("interactive-shell");
  await both.say("!i sh -c 'echo on the bare terminal; read answer; exit 4'");
  await both.show(/^on the bare terminal$/m);
  both.type("yes");
  both.press("Enter");
  await both.show(/interactive command exited with code 4/);
  both.type("back");
  await both.show(/^back$/m);
});

inFull("mac-system-theme: the light theme, where there is no Mac to ask", async () => {
  const both = await openBoth("mac-system-theme");
  both.seam.type("/theme ");
  both.seam.press("Enter");
  await both.seam.shows(/→ light/);
});
