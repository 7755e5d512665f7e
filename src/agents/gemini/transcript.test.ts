import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastAnswer } from "../sessions/session-text.ts";
import { scanTranscript } from "../transcripts/scan.ts";
import { totalTokens } from "../transcripts/scan-with-subagents.ts";
import {
  copyFixture,
  fixture,
  fixtureContent,
  jsonLines,
  tempFile,
  tempPlace,
} from "../transcripts/test-kit.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const ID = "3bc8092b-e0dc-4948-8311-e962418946fb";
const HEADER = { sessionId: ID, projectHash: "x", startTime: "2026-11-15T17:54:59.495Z" };

async function factsOf(...records: unknown[]) {
  const { facts } = await scanTranscript(transcript, tempFile(jsonLines(...records)));
  return facts;
}
const user = (id: string, text: string) => ({ id, type: "user", content: [{ text }] });
const call = (name: string, args: object, more: object = {}) => ({
  id: "g1",
  type: "gemini",
  content: "",
  tokens: { input: 10, output: 1, cached: 4, thoughts: 2, tool: 3 },
  toolCalls: [{ id: "c1", name, args, ...more }],
});

describe("a session of Gemini CLI", () => {
  it("counts each message once, though all are written again on resuming [gemini-messages-again]", async () => {
    const { facts } = await scanTranscript(transcript, fixture("gemini", "session.jsonl"));
    expect(facts).toMatchObject({
      prompts: [
        { text: "please say hi", position: 2 },
        { text: "second prompt", position: 19 },
      ],
      files: ["hello.txt"],
      lastAnswer: "All done.",
      summary: "aux-reply",
      model: "gemini-2.5-flash",
      toolResults: 2,
    });
    expect(facts.tokens).toEqual({
      input_tokens: 3200,
      cache_creation_tokens: 0,
      cache_read_tokens: 800,
      output_tokens: 280,
      api_call_count: 4,
    });
  });

  it("takes cached input out of input, and puts thinking and tool prompts where they belong", async () => {
    const { tokens } = await factsOf(call("glob", {}));
    expect(tokens).toMatchObject({ input_tokens: 9, cache_read_tokens: 4, output_tokens: 3 });
  });

  it("takes the last form of a message that is written again", async () => {
    const first = { id: "g1", type: "gemini", content: "a", tokens: { input: 1, output: 1 } };
    const facts = await factsOf(first, {
      ...first,
      content: "ab",
      tokens: { input: 1, output: 9 },
    });
    expect(facts).toMatchObject({
      lastAnswer: "ab",
      tokens: { output_tokens: 9, api_call_count: 1 },
    });
  });

  it("tells messages that only a patch has", async () => {
    const facts = await factsOf(HEADER, { $set: { messages: [user("u1", "from a patch")] } });
    expect(facts.lastPrompt).toBe("from a patch");
  });

  it("passes over what a rewind says", async () => {
    expect((await factsOf({ $rewindTo: "u1" }, user("u2", "go on"))).lastPrompt).toBe("go on");
  });
});

describe("prompts", () => {
  it.each(["<session_context>\nx", "/chat list", "?", "<state_snapshot>x</state_snapshot>", ""])(
    "are not: %s",
    async (text) => {
      expect((await factsOf(user("u1", text))).prompts).toEqual([]);
    },
  );

  it("are told without what hooks put before them", async () => {
    const text = "<hook_context>secret</hook_context>\n\ndo it";
    expect((await factsOf(user("u1", text))).lastPrompt).toBe("do it");
  });

  it("are not results of tools", async () => {
    const record = { id: "u1", type: "user", content: [{ functionResponse: { id: "c1" } }] };
    expect((await factsOf(record)).prompts).toEqual([]);
  });
});

describe("files and skills", () => {
  it("are those of calls that worked", async () => {
    const done = { result: [{}], status: "success" };
    const file = { file_path: "a.txt" };
    expect((await factsOf(call("write_file", file, done))).files).toEqual(["a.txt"]);
    expect((await factsOf(call("replace", file, done))).files).toEqual(["a.txt"]);
    const failed = { result: [{}], status: "error" };
    expect((await factsOf(call("write_file", file, failed))).files).toEqual([]);
    expect((await factsOf(call("read_file", file, done))).files).toEqual([]);
  });

  it("a skill is told once, by its tool only", async () => {
    const before = call("activate_skill", { name: "greet" });
    const after = call("activate_skill", { name: "greet" }, { result: [{}], status: "success" });
    const facts = await factsOf(HEADER, before, after, { $set: { messages: [after] } });
    expect(facts.skills).toMatchObject([
      {
        id: "gemini-skill-c1",
        event_type: "tool_invocation",
        skill: { name: "greet" },
        source: { agent: "gemini", signal: "skill_tool_use", confidence: "explicit" },
        transcript_anchor: { unit: "line", start: 1, end: 2, entry_ids: ["g1"], tool_use_id: "c1" },
        native: { tool_name: "activate_skill", tool_use_id: "c1" },
        collapse: { target: "tool_pair", label: "Skill: greet", default_collapsed: true },
      },
    ]);
    expect(facts.toolResults).toBe(1);
    const read = await factsOf(call("read_file", { file_path: ".gemini/skills/greet/SKILL.md" }));
    expect(read.skills).toEqual([]);
  });
});

describe("a document of an older version", () => {
  const messages = [user("u1", "hello"), call("write_file", { file_path: "a" }, { result: [] })];
  const content = JSON.stringify({ ...HEADER, messages, summary: "old" }, null, 2);

  it("is read by its messages", async () => {
    const path = tempFile(content, "session-2025-01-01T00-00-3bc8092b.json");
    const { facts, state, total } = await scanTranscript(transcript, path);
    expect(facts).toMatchObject({ lastPrompt: "hello", files: ["a"], summary: "old" });
    expect(state.position).toBe(2);
    const again = await scanTranscript(transcript, path, { from: state });
    expect(again.facts.prompts).toEqual([]);
    expect(again.total).toEqual(total);
    expect(transcript.recognise(Buffer.from(content))).toBe(true);
  });

  it("that lost messages is read from its start", async () => {
    const path = tempFile(content, "session.json");
    const { state } = await scanTranscript(transcript, path);
    writeFileSync(path, JSON.stringify({ ...HEADER, messages: [user("u9", "other")] }, null, 2));
    const again = await scanTranscript(transcript, path, { from: state });
    expect(again).toMatchObject({ restarted: true, facts: { lastPrompt: "other" } });
  });

  it("that is damaged or missing says nothing", async () => {
    const path = tempFile(content.slice(0, 300), "session.json");
    expect((await scanTranscript(transcript, path)).facts.prompts).toEqual([]);
    expect(await scanTranscript(transcript, `${path}.gone.json`)).toMatchObject({ missing: true });
  });
});

describe("where Gemini CLI keeps sessions", () => {
  it("is a folder it gave a name to", async () => {
    const place = tempPlace();
    expect(sessions.dir(place)).toBe(join(place.home, ".gemini/tmp/my app/chats"));
    mkdirSync(join(place.home, ".gemini"));
    const projects = { [place.project]: "webclient", "/evil": "../../x" };
    writeFileSync(join(place.home, ".gemini/projects.json"), JSON.stringify({ projects }));
    expect(sessions.dir(place)).toBe(join(place.home, ".gemini/tmp/webclient/chats"));
    expect(sessions.dir({ ...place, project: "/evil" })).toBe(
      join(place.home, ".gemini/tmp/evil/chats"),
    );
  });

  it("has the session in the largest of its files [gemini-resume-stub]", async () => {
    const place = tempPlace();
    const dir = sessions.dir(place);
    const path = join(dir, "session-2026-11-15T17-54-3bc8092b.jsonl");
    copyFixture("gemini", "session.jsonl", path);
    writeFileSync(join(dir, "session-2026-11-15T18-12-3bc8092b.jsonl"), jsonLines(HEADER, {}));
    writeFileSync(join(dir, "session-2026-11-15T18-13-3bc8092b.jsonl"), "x".repeat(99_999));
    expect(sessions.file(place, ID)).toBe(path);
    expect(sessions.file(place, "3bc8092b-0000-4948-8311-e962418946fb")).toBeUndefined();
  });

  it("takes a session back under the name it had", async () => {
    const place = tempPlace();
    const content = fixtureContent("gemini", "session.jsonl");
    const session = { sessionId: ID, agent: "gemini", project: "/p", ref: "", content };
    const { ref } = await sessions.write(place, session);
    expect(ref).toBe(join(sessions.dir(place), "session-2026-11-15T17-54-3bc8092b.jsonl"));
    expect((await sessions.read(place, ID))?.content.equals(content)).toBe(true);
    const cut = sessions.truncate(session, "9b809e13-0e0a-40a8-ad6d-3080ad42e537");
    expect(cut && lastAnswer(transcript, cut)).toBe("I will run a command and write a file.");
    // Its last form is kept, the one with the call in it.
    expect(cut?.content.toString()).toContain("run_shell_command__fc_mwi4x4oj0");
    expect(sessions.resumeCommand(ID)).toEqual(["gemini", "--resume", ID]);
  });

  it("has children in a folder named after their parent", async () => {
    const place = tempPlace();
    const dir = sessions.dir(place);
    const ref = join(dir, "session-2026-11-15T17-54-3bc8092b.jsonl");
    copyFixture("gemini", "session.jsonl", ref);
    copyFixture("gemini", "subagent.jsonl", join(dir, ID, "36c0f508.jsonl"));
    expect(await totalTokens({ transcript, sessions }, ref)).toMatchObject({
      input_tokens: 3200,
      api_call_count: 4,
      subagent_tokens: { input_tokens: 3200, output_tokens: 280, api_call_count: 4 },
    });
  });
});

describe("a session that is one JSON document", () => {
  const messages = [user("u1", "first"), user("u2", 'with "quotes", and ]}'), user("u3", "last")];
  const document = { ...HEADER, messages, summary: "three prompts" };

  it.each([0, 2])("can be cut after a message and stays a document (indented by %s)", (indent) => {
    const content = Buffer.from(JSON.stringify(document, null, indent));
    const session = { sessionId: ID, agent: "gemini", project: "/p", ref: "", content };
    const upTo = (id: string) => {
      const cut = sessions.truncate(session, id);
      return cut && (JSON.parse(cut.content.toString()) as unknown);
    };
    expect(upTo("u2")).toEqual({ ...document, messages: messages.slice(0, 2) });
    expect(upTo("u3")).toEqual(document);
    expect(upTo("u9")).toBeUndefined();
  });

  it("is given back under the name of its kind", async () => {
    const place = tempPlace();
    const content = Buffer.from(JSON.stringify(document));
    const session = { sessionId: ID, agent: "gemini", project: "/p", ref: "", content };
    expect((await sessions.write(place, session)).ref).toMatch(/-3bc8092b\.json$/);
    expect((await sessions.read(place, ID))?.content.equals(content)).toBe(true);
  });
});
