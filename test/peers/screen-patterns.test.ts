/** The example patterns of Pi's documentation that a person sees, in tmux beside Pi itself. */
import { expect, test } from "vitest";
import { inFull } from "../setup/sample.ts";
import { requirePeers } from "./pi.ts";
import { openBoth } from "./screens/both.ts";

requirePeers();

const call = (name: string, input: Record<string, unknown>) => ({ toolCalls: [{ name, input }] });
const trimmed = (line: string) => line.trim();

test("permission-gate: the command and what to answer; No stops it, Yes lets it run", async () => {
  const both = await openBoth("permission-gate", {
    files: { "wool/a": "", "yarn/b": "" },
    turns: [
      call("bash", { command: "rm -rf wool" }),
      { text: "It stays." },
      call("bash", { command: "rm -rf yarn" }),
      { text: "It is gone." },
    ],
  });
  await both.say("clean up");
  await both.show(/Dangerous command:/, /rm -rf wool/, /Allow\?/, /→ Yes/, /^ {2,}No/m);
  both.press("Down", "Enter");
  await both.show(/Blocked by user/, /It stays\./);
  await both.say("once more");
  await both.show(/rm -rf yarn/, /→ Yes/);
  both.press("Enter");
  await both.show(/It is gone\./);
});

inFull("confirm-destructive: a question before the session is left", async () => {
  const both = await openBoth("confirm-destructive", { turns: [{ text: "Woven." }] });
  await both.say("weave");
  await both.show(/Woven\./);
  await both.say("/new");
  await both.show(/Clear session\?/, /This will delete all messages/, /→ Yes/);
  both.press("Down", "Enter");
  await both.show(/Clear cancelled/, /Woven\./);
  await both.say("/new");
  await both.show(/→ Yes/);
  both.press("Enter");
  await both.hide(/Woven\./);
});

inFull("dirty-repo-guard: how many files are not committed", async () => {
  const both = await openBoth("dirty-repo-guard", {
    git: true,
    turns: [call("write", { path: "new.txt", content: "x" }), { text: "Woven." }],
  });
  await both.say("weave");
  await both.show(/Woven\./);
  await both.say("/new");
  await both.show(/You have 1 uncommitted file\(s\)\. new session anyway\?/, /→ Yes, proceed/);
  both.press("Down", "Enter");
  await both.show(/Commit your changes first/);
});

inFull("event-bus: what one extension tells another is shown", async () => {
  const both = await openBoth("event-bus");
  await both.show(/Event from event-bus-example: Session started/);
  await both.say("/emit wool is here");
  await both.show(/Event from \/emit command: wool is here/);
});

test("send-user-message: a command asks the model, steers it, and queues behind it", async () => {
  const both = await openBoth("send-user-message", {
    turns: [
      { text: "Woven.", waitMs: 3_000 },
      { text: "Steered." },
      { text: "Followed.", waitMs: 500 },
    ],
  });
  await both.say("/ask weave");
  await both.show(/Working/);
  await both.say("/steer mind the edge");
  await both.show(/Woven\./, /Steered\./);
  await both.say("/followup and the hem");
  await both.show(/and the hem/, /Followed\./);
});

inFull("dynamic-tools: a tool that is added while the session runs can be called", async () => {
  const both = await openBoth("dynamic-tools", {
    turns: [call("echo_wool", { message: "soft" }), { text: "Echoed." }],
  });
  await both.show(/Registered dynamic tool: echo_session/);
  await both.say("/add-echo-tool echo_wool");
  await both.show(/Registered dynamic tool: echo_wool/);
  await both.say("echo");
  await both.show(/echo_wool/, /Echoed\./);
  both.seam.press("C-o");
  await both.show(/\[echo_wool\] soft/);
});

test("structured-output: the result is drawn by the extension, and it is the end of the turn", async () => {
  const both = await openBoth("structured-output", {
    turns: [
      call("structured_output", {
        headline: "Looms",
        summary: "They weave.",
        actionItems: ["spin", "dye"],
      }),
      { text: "This is one too many." },
    ],
  });
  await both.say("report");
  await both.agree([/They weave\./, /2\. dye/], trimmed);
  for (const pane of both.panes) expect(pane.screen().join("\n")).not.toContain("one too many");
});

inFull(
  "model-status: what an extension prints does not stand in the middle of the screen",
  async () => {
    const both = await openBoth("model-status", { secondModel: true });
    both.press("C-p");
    await both.show(/🤖 other-model/);
    const [top = ""] = both.seam.screen();
    expect(top).toMatch(/^seam /);
    await both.seam.shows(/^\[model_select\] mock\/mock-model → mock\/other-model \(cycle\)$/m);
  },
);

/** More than stays when a conversation is summed up. */
const LONG = { text: "Woven again and again. ".repeat(6_000) };

inFull("trigger-compact: what is said when the conversation is summed up", async () => {
  const both = await openBoth("trigger-compact", { turns: [LONG, LONG], side: "They wove." });
  await both.say("weave");
  await both.show(/Woven again/);
  await both.say("weave more");
  await both.show(/weave more/);
  await both.hide(/Working/);
  await both.say("/trigger-compact");
  await both.flash(/Compaction started/);
  await both.show(/Compaction completed/);
});

inFull(
  "custom-compaction: the extension is asked, and without its model the usual summary is made",
  async () => {
    const both = await openBoth("custom-compaction", { turns: [LONG, LONG], side: "They wove." });
    await both.say("weave");
    await both.show(/Woven again/);
    await both.say("weave more");
    await both.show(/weave more/);
    await both.hide(/Working/);
    await both.say("/compact");
    // Pi draws the whole conversation again after it, without this line.
    await both.flash(/using default compaction/);
  },
);

test("plan-mode: the state in the footer, the plan as a widget", async () => {
  const plan = "Plan:\n1. Spin the wool into yarn\n2. Dye the yarn in blue\n";
  const both = await openBoth("plan-mode", { turns: [{ text: plan }, { text: "Ready." }] });
  await both.say("/plan");
  await both.show(/Plan mode enabled/, /⏸ plan/);
  await both.say("make a plan");
  await both.show(/what next\?/, /Execute the plan/, /Stay in plan mode/);
  both.press("Enter");
  await both.show(/☐ /, /0\/2/);
  const todos = (lines: readonly string[]) =>
    lines.filter((line) => /[☐☑]/.test(line)).map(trimmed);
  await both.agreeOn(todos);
});

test("handoff: the model writes the prompt, the person edits it, a new session begins with it", async () => {
  const both = await openBoth("handoff", {
    turns: [{ text: "Woven." }],
    side: "## Task\nDye the wool.",
  });
  await both.say("weave");
  await both.show(/Woven\./);
  await both.say("/handoff dye it");
  await both.show(/Edit handoff prompt|handoff prompt/i, /Dye the wool\./);
  both.press("Enter");
  await both.hide(/Woven\./);
  await both.show(/Dye the wool\./);
});

inFull(
  "qna: a loader while the model looks for questions, which are in the editor then",
  async () => {
    const both = await openBoth("qna", {
      turns: [{ text: "Which wool?" }],
      side: "Q: Which wool?\nA: ",
    });
    await both.say("weave");
    await both.show(/Which wool\?/);
    await both.say("/qna");
    await both.flash(/Extracting questions using mock-model\.\.\./);
    await both.show(/Questions loaded\. Edit and submit when ready\./);
    await both.agree([/^Q: Which wool\?/, /^─{20}/]);
    await both.say("the grey one");
    await both.show(/A: the grey one/);
  },
);

test("summarize: a frame with the summary as Markdown, until Enter", async () => {
  const both = await openBoth("summarize", {
    turns: [{ text: "Woven." }],
    side: "## Goal\n\n- weave **cloth**\n- dye it",
    instead: {
      provider: "openai",
      id: "gpt-5.2",
      api: "openai-responses",
      address: "https://api.openai.com",
    },
  });
  await both.say("weave");
  await both.show(/Woven\./);
  await both.say("/summarize");
  await both.show(/Press Enter or Esc to close/);
  await both.agree([/^ Conversation Summary/, /^─{20}/]);
  both.press("Enter");
  await both.hide(/Conversation Summary/);
});
