import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findToolResultEntry, lastAnswer, lastPrompt } from "../sessions/session-text.ts";
import { scanTranscript } from "../transcripts/scan.ts";
import { totalTokens } from "../transcripts/scan-with-subagents.ts";
import {
  fixture,
  fixtureContent,
  jsonLines,
  tempFile,
  tempPlace,
} from "../transcripts/test-kit.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const ID = "962471d4-6784-433b-b2c4-a7fa13af7838";

async function factsOf(...records: unknown[]) {
  const { facts } = await scanTranscript(transcript, tempFile(jsonLines(...records)));
  return facts;
}
const event = (type: string, data: object, more: object = {}) => ({ type, data, id: "e", ...more });
const start = (toolName: string, args: unknown) =>
  event("tool.execution_start", { toolCallId: "c", toolName, arguments: args });
const complete = (data: object) => event("tool.execution_complete", { toolCallId: "c", ...data });

describe("a session of Copilot CLI", () => {
  it("has what was asked, changed and said, and cached input is not counted as input", async () => {
    const { facts } = await scanTranscript(transcript, fixture("copilot-cli", "events.jsonl"));
    expect(facts).toMatchObject({
      prompts: [{ text: "please say hi" }, { text: "second prompt" }],
      files: ["/home/dev/app/hello.txt"],
      lastAnswer: "All done.",
      model: "gpt-4.1",
      skills: [],
    });
    expect(facts.tokens).toEqual({
      input_tokens: 3200,
      cache_creation_tokens: 0,
      cache_read_tokens: 800,
      output_tokens: 200,
      api_call_count: 4,
    });
  });

  it("has its subagents in the same file: their work is theirs [copilot-inline-children]", async () => {
    const ref = fixture("copilot-cli", "with-subagent.jsonl");
    const { facts } = await scanTranscript(transcript, ref);
    expect(facts).toMatchObject({ prompts: [{ text: "please say hi" }], lastAnswer: "All done." });
    expect(await totalTokens({ transcript, sessions }, ref)).toEqual({
      input_tokens: 1600,
      cache_creation_tokens: 0,
      cache_read_tokens: 400,
      output_tokens: 100,
      api_call_count: 2,
      subagent_tokens: {
        input_tokens: 1600,
        cache_creation_tokens: 0,
        cache_read_tokens: 400,
        output_tokens: 100,
        api_call_count: 2,
      },
    });
  });

  it("counts a call once though its record is delivered twice", async () => {
    const usage = { inputTokens: 10, outputTokens: 2, accounting: { usageId: "u" } };
    const twice = event("session.usage_record", { usage });
    expect((await factsOf(twice, { ...twice, id: "f" })).tokens).toMatchObject({
      input_tokens: 10,
      api_call_count: 1,
    });
  });

  it("says when it was compacted and what it is called", async () => {
    const facts = await factsOf(
      event("session.compaction_complete", { success: false }),
      event("session.compaction_complete", { success: true }),
      event("session.title_changed", { title: "greeting" }),
    );
    expect(facts).toMatchObject({ compactions: 1, summary: "greeting" });
  });
});

describe("the story", () => {
  it("has what a failed command said, without Copilot's note for the model", async () => {
    const failed = (content: string) =>
      complete({ success: true, shellExecution: { exitCode: 1 }, result: { content } });
    const note = "<shellId: 1 completed with exit code 1>";
    const said = async (content: string) => {
      const { story } = await factsOf(start("bash", { command: "ls no" }), failed(content));
      return story.entries.map(({ kind, text }) => [kind, text]);
    };
    expect(await said(`ls: no such file\n${note}`)).toEqual([
      ["call", "ls no"],
      ["failure", "ls: no such file"],
    ]);
    expect(await said(note)).toEqual([
      ["call", "ls no"],
      ["failure", note],
    ]);
  });
});

describe("files", () => {
  it("are those Copilot says it wrote, or those a call names", async () => {
    const edited = {
      fileEdits: [
        { path: "/a", kind: "edit" },
        { path: "/b", kind: "delete" },
      ],
    };
    const patch = "*** Begin Patch\n*** Add File: new.txt\n+x\n*** End Patch\n";
    expect((await factsOf(start("x", {}), complete({ ...edited, success: true }))).files).toEqual([
      "/a",
      "/b",
    ]);
    expect((await factsOf(start("create", { path: "/c" }))).files).toEqual(["/c"]);
    expect((await factsOf(start("edit", { path: "/c" }))).files).toEqual(["/c"]);
    expect((await factsOf(start("apply_patch", patch))).files).toEqual(["new.txt"]);
  });

  it("are none of a call that failed or only looked", async () => {
    const denied = complete({ success: false, error: { message: "denied" } });
    expect((await factsOf(start("create", { path: "/c" }), denied)).files).toEqual([]);
    expect(
      (await factsOf(start("view", { path: "/c" }), complete({ success: true }))).files,
    ).toEqual([]);
  });
});

describe("skills", () => {
  const invoked = (trigger: string, type = "skill.invoked") =>
    event(type, { name: "greet", path: "/x/SKILL.md", content: "…", trigger });

  it("are told by the tool, or by what the user asked for", async () => {
    const byTool = await factsOf(start("skill", { skill: "greet" }), complete({ success: true }));
    expect(byTool.skills).toMatchObject([
      { id: "copilot-cli-skill-c", event_type: "tool_invocation", skill: { name: "greet" } },
    ]);
    const typed = await factsOf(invoked("user-invoked"), invoked("agent-invoked"));
    expect(typed.skills).toMatchObject([
      {
        id: "copilot-cli-skill-greet-e",
        event_type: "prompt_invocation",
        native: { command: "/greet" },
        transcript_anchor: { unit: "line", start: 0, end: 0, entry_ids: ["e"] },
      },
    ]);
  });

  it.each([
    ["what was loaded as context", invoked("context-load")],
    ["one without a trigger", event("skill.invoked", { name: "greet" })],
    ["a list of skills", event("session.skills_loaded", { skills: [{ name: "greet" }] })],
    ["a look at SKILL.md", start("view", { path: ".github/skills/greet/SKILL.md" })],
    ["text a skill put in", event("user.message", { content: "x", source: "skill-pdf" })],
  ])("are not seen in %s", async (_, record) => {
    expect(await factsOf(record)).toMatchObject({ skills: [], prompts: [] });
  });
});

describe("where Copilot keeps sessions", () => {
  it("is one folder each, and a session can be given back", async () => {
    const place = tempPlace();
    const content = fixtureContent("copilot-cli", "with-subagent.jsonl");
    const session = { sessionId: ID, agent: "copilot-cli", project: "/p", ref: "", content };
    const { ref, written } = await sessions.write(place, session);
    expect(written).toBe(true);
    expect(ref).toBe(join(place.home, ".copilot/session-state", ID, "events.jsonl"));
    expect((await sessions.read(place, ID))?.content.equals(content)).toBe(true);
    expect(lastPrompt(transcript, session)).toBe("please say hi");
    expect(lastAnswer(transcript, session)).toBe("All done.");
    const entry = findToolResultEntry(transcript, session, "call_mwi5i7g9dh") ?? "";
    const lines = sessions.truncate(session, entry)?.content.toString().trimEnd().split("\n");
    expect(JSON.parse(lines?.at(-1) ?? "")).toMatchObject({ id: entry });
    expect(sessions.resumeCommand(ID)).toEqual(["copilot", `--resume=${ID}`]);
    expect(sessions.dir({ ...place, env: { COPILOT_HOME: "/c" } })).toBe("/c/session-state");
  });
});
