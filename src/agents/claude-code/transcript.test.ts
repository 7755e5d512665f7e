import { describe, expect, it } from "vitest";
import { mismatch, SkillEventSchema } from "../../events/index.ts";
import { scanTranscript } from "../transcripts/scan.ts";
import { fixture, jsonLines, tempFile } from "../transcripts/test-kit.ts";
import { transcript } from "./transcript.ts";

const scanOf = (name: string) => scanTranscript(transcript, fixture("claude-code", name));

/** Facts of some records. */
async function factsOf(...records: unknown[]) {
  const { facts } = await scanTranscript(transcript, tempFile(jsonLines(...records)));
  return facts;
}

const user = (content: unknown, more: object = {}) => ({
  type: "user",
  uuid: "u1",
  sessionId: "s",
  message: { role: "user", content },
  ...more,
});
const command = (name: string, args = "", more: object = {}) =>
  user(
    `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
    { uuid: "c1", promptId: "p1", timestamp: "2026-11-15T10:00:00.000Z", ...more },
  );
const body = (text: string, more: object = {}) =>
  user([{ type: "text", text }], { uuid: "b1", isMeta: true, ...more });
const call = (name: string, input: unknown, id = "toolu_1") => ({
  type: "assistant",
  uuid: "a1",
  sessionId: "s",
  message: { id: "m1", content: [{ type: "tool_use", id, name, input }] },
});
const failed = (id = "toolu_1") =>
  user([{ type: "tool_result", tool_use_id: id, is_error: true, content: "no" }]);

describe("a session of Claude Code", () => {
  it("has one usage for each answer, however many lines that takes [claude-usage-repeats]", async () => {
    const { facts } = await scanOf("main.jsonl");
    expect(facts.tokens).toEqual({
      input_tokens: 700,
      cache_creation_tokens: 140,
      cache_read_tokens: 210,
      output_tokens: 294,
      api_call_count: 7,
    });
  });

  it("has the prompt, the file that was written and what was said last", async () => {
    const { facts } = await scanOf("main.jsonl");
    expect(facts).toMatchObject({
      prompts: [{ text: "Please go. SCRIPT:full", position: 2 }],
      files: ["/home/dev/app/out.txt"],
      lastAnswer: "All done, final answer.\nSecond line.",
      model: "claude-opus-4-8",
      compactions: 0,
      toolResults: 7,
      subagents: [{ id: "a2ea1ec715da147a3", type: "helper" }],
    });
  });

  it("has neither commands of Claude Code nor what it says itself among its prompts", async () => {
    const { facts } = await scanOf("compacted.jsonl");
    expect(facts.prompts.map(({ text }) => text)).toEqual([
      "Please go. SCRIPT:full",
      "/greet Alice SCRIPT:none",
      "go SCRIPT:big",
    ]);
    expect(facts.compactions).toBe(2);
    // One answer in it was made up by Claude Code itself and cost nothing.
    expect(facts.tokens.api_call_count).toBe(10);
    expect(facts.lastAnswer).toBe("Mock reply (no script).");
  });
});

describe("skills", () => {
  it("are told as the format says: by the tool, and typed", async () => {
    const { facts } = await scanOf("compacted.jsonl");
    expect(facts.skills).toEqual([
      {
        id: "claude-skill-toolu_mock_2_0",
        event_type: "tool_invocation",
        skill: { name: "greet" },
        source: { agent: "claude-code", signal: "skill_tool_use", confidence: "explicit" },
        timestamp: "2026-11-15T17:54:15.364Z",
        transcript_anchor: {
          unit: "line",
          start: 15,
          end: 17,
          entry_ids: ["33c575e5-2342-4679-a0e8-38535a6281d9"],
          tool_use_id: "toolu_mock_2_0",
        },
        native: { tool_name: "Skill", tool_use_id: "toolu_mock_2_0" },
        collapse: { target: "tool_pair", label: "Skill: greet", default_collapsed: true },
      },
      {
        id: "claude-skill-greet-d632ecda-97df-4c95-9c32-974525a44a4f",
        event_type: "prompt_invocation",
        skill: { name: "greet" },
        source: { agent: "claude-code", signal: "input_slash_command", confidence: "explicit" },
        timestamp: "2026-11-15T17:58:22.515Z",
        transcript_anchor: {
          unit: "line",
          start: 48,
          end: 49,
          entry_ids: [
            "506daba6-84ec-4cdf-ae41-ec15d60593ad",
            "13adcd1c-0203-4015-97a7-cafd27463ce2",
          ],
        },
        native: { command: "/greet" },
        collapse: { target: "user_message", label: "/greet", default_collapsed: true },
      },
    ]);
    for (const skill of facts.skills) expect(mismatch(SkillEventSchema, skill)).toBeUndefined();
  });

  it("are not seen in a command of the user's own, though that is a prompt", async () => {
    const facts = await factsOf(command("deploy", "now"), body("Deploy the thing."));
    expect(facts.skills).toEqual([]);
    expect(facts.lastPrompt).toBe("/deploy now");
  });

  it("are seen if only the answer says which one it follows", async () => {
    const answer = {
      type: "assistant",
      attributionSkill: "greet",
      message: { id: "m1", content: [{ type: "text", text: "Hello." }] },
    };
    const facts = await factsOf(command("greet"), { type: "attachment" }, answer);
    expect(facts.skills).toMatchObject([
      { skill: { name: "greet" }, transcript_anchor: { start: 0, end: 2 } },
    ]);
    const other = await factsOf(command("clear"), answer);
    expect(other.skills).toEqual([]);
  });

  it.each([
    ["a read of SKILL.md", [call("Read", { file_path: "/x/.claude/skills/greet/SKILL.md" })]],
    ["a write to one", [call("Write", { file_path: ".claude/skills/greet/SKILL.md" })]],
    ["a call without a name", [call("Skill", {})]],
    [
      "a built-in command",
      [command("clear"), user("<local-command-stdout></local-command-stdout>")],
    ],
    ["the body alone", [body("Base directory for this skill: /x\n\nSay hello")]],
    [
      "a command that was followed by another prompt",
      [command("greet"), user("never mind"), body("Base directory for this skill: /x")],
    ],
    [
      "a listing",
      [{ type: "attachment", attachment: { type: "skill_listing", content: "greet" } }],
    ],
  ])("are not seen in %s", async (_, records) => {
    expect((await factsOf(...records)).skills).toEqual([]);
  });
});

describe("prompts", () => {
  it.each([
    ["meta", user("x", { isMeta: true })],
    ["a summary of a compaction", user("x", { isCompactSummary: true })],
    ["only for show", user("x", { isVisibleInTranscriptOnly: true })],
    ["by a channel", user("x", { origin: { kind: "task-notification" } })],
    ["output of a command", user("<local-command-stdout>x</local-command-stdout>")],
    ["a shell command of the user", user("<bash-input>ls</bash-input>")],
    ["an interruption", user([{ type: "text", text: "[Request interrupted by user]" }])],
    ["a result", user([{ type: "tool_result", tool_use_id: "t", content: "x" }])],
    ["of a child in the same file", user("x", { isSidechain: true })],
    ["the trace of a hook", { type: "attachment", attachment: { type: "hook_success" } }],
    ["a note", { type: "last-prompt", lastPrompt: "x" }],
  ])("are not: %s", async (_, record) => {
    expect((await factsOf(record)).prompts).toEqual([]);
  });

  it("may have images, and may be typed while Claude Code works", async () => {
    const image = { type: "image", source: {} };
    const queued = { type: "queued_command", prompt: "and this", origin: { kind: "human" } };
    const facts = await factsOf(
      user([{ type: "text", text: "look" }, image]),
      { type: "attachment", uuid: "q", attachment: queued },
      { type: "attachment", attachment: { ...queued, commandMode: "task-notification" } },
      { type: "attachment", attachment: { ...queued, isMeta: true } },
    );
    expect(facts.prompts.map(({ text }) => text)).toEqual(["look", "and this"]);
  });
});

describe("files", () => {
  it.each([
    ["Write", { file_path: "/a" }],
    ["Edit", { file_path: "/a" }],
    ["MultiEdit", { file_path: "/a" }],
    ["NotebookEdit", { notebook_path: "/a" }],
  ])("are those that %s names", async (name, input) => {
    expect((await factsOf(call(name, input))).files).toEqual(["/a"]);
    expect((await factsOf(call(name, input), failed())).files).toEqual([]);
  });

  it("are never those that were only read", async () => {
    const facts = await factsOf(call("Read", { file_path: "/a" }), call("Grep", { path: "/a" }));
    expect(facts.files).toEqual([]);
  });
});

it("an older version's subagents in the same file are told apart", async () => {
  const answer = { id: "m2", usage: { output_tokens: 7 }, content: [] };
  const facts = await factsOf(
    user("go"),
    { type: "assistant", message: { id: "m1", usage: { output_tokens: 1 }, content: [] } },
    { type: "assistant", isSidechain: true, agentId: "x", message: answer },
  );
  expect(facts.tokens).toMatchObject({ output_tokens: 1, subagent_tokens: { output_tokens: 7 } });
});

it("the title is what the user or Claude Code called the session", async () => {
  const titles = [
    { type: "summary", summary: "first", leafUuid: "x" },
    { type: "ai-title", aiTitle: "second" },
    { type: "custom-title", customTitle: "mine" },
  ];
  expect((await factsOf(...titles)).summary).toBe("mine");
});

it("what a tool of Claude Code objected to is told without the tags for the model", async () => {
  const content = "<tool_use_error>File has not been read yet.</tool_use_error>";
  const failed = { type: "tool_result", tool_use_id: "toolu_1", is_error: true, content };
  const { story } = await factsOf(call("Write", { file_path: "a.txt" }), user([failed]));
  expect(story.entries).toContainEqual(
    expect.objectContaining({ kind: "failure", text: "File has not been read yet." }),
  );
});

it.each([
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).",
  "The user doesn't want to take this action right now. STOP what you are doing and wait.",
  "[Request interrupted by user for tool use]",
])("a call that the user refused or stopped did not fail: %s", async (content) => {
  const failed = { type: "tool_result", tool_use_id: "toolu_1", is_error: true, content };
  const { story } = await factsOf(call("Bash", { command: "sleep 60" }), user([failed]));
  expect(story.entries.at(-1)).toMatchObject({ kind: "failure", refused: true });
});
