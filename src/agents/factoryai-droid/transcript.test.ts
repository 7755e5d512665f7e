import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findToolResultEntry } from "../sessions/session-text.ts";
import { scanTranscript } from "../transcripts/scan.ts";
import { scanFamily, totalTokens } from "../transcripts/scan-with-subagents.ts";
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

const ID = "17ef3e39-08c2-4daa-aed5-2fa54c2064c0";
const CHILD = "79605740-b954-4e65-a1a6-f58c0dd55aed";

async function factsOf(...messages: object[]) {
  const records = messages.map((message, at) => ({ type: "message", id: `m${at}`, message }));
  const { facts } = await scanTranscript(transcript, tempFile(jsonLines(...records)));
  return facts;
}
const call = (name: string, input: object) => ({
  role: "assistant",
  content: [{ type: "tool_use", id: "c", name, input }],
});
const result = (is_error: boolean) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: "c", is_error, content: "x" }],
});

describe("a session of Droid", () => {
  it("has what was asked, changed and said, and no runs of hooks [droid-hooks-as-messages]", async () => {
    const { facts } = await scanTranscript(transcript, fixture("factoryai-droid", "session.jsonl"));
    expect(facts).toMatchObject({
      prompts: [{ text: "please say hi", id: "16c6d612-100b-4d42-8d27-68eba7da6c82" }],
      files: ["/home/dev/app/hello.txt"],
      lastAnswer: "All done.",
      model: "custom:mock-0",
      summary: "please say hi",
      toolResults: 2,
      skills: [],
    });
  });

  it("has no file of a call that was denied", async () => {
    expect((await factsOf(call("Create", { file_path: "/a" }), result(true))).files).toEqual([]);
    expect((await factsOf(call("Create", { file_path: "/a" }), result(false))).files).toEqual([
      "/a",
    ]);
    expect((await factsOf(call("Edit", { file_path: "/a" }))).files).toEqual(["/a"]);
    expect((await factsOf(call("Read", { file_path: "/a" }))).files).toEqual([]);
    const input = "*** Begin Patch\n*** Delete File: old.ts\n*** End Patch\n";
    expect((await factsOf(call("ApplyPatch", { input }))).files).toEqual(["old.ts"]);
  });

  it.each([
    ["a run of a hook", { role: "user", content: [], visibility: "user_only" }],
    ["one with text", { role: "user", content: "x", visibility: "user_only" }],
    ["a reminder", { role: "user", content: [{ type: "text", text: "<system-reminder>x" }] }],
  ])("%s is no prompt", async (_, message) => {
    expect((await factsOf(message)).prompts).toEqual([]);
  });

  it("tells a skill by its tool, and only by that", async () => {
    const { skills } = await factsOf(call("Skill", { skill: "greet" }), result(false));
    expect(skills).toMatchObject([
      {
        id: "factoryai-droid-skill-c",
        skill: { name: "greet" },
        transcript_anchor: { start: 0, end: 1, tool_use_id: "c" },
      },
    ]);
    const read = await factsOf(call("Read", { file_path: ".factory/skills/greet/SKILL.md" }));
    expect(read.skills).toEqual([]);
  });

  it("says when it was compacted", async () => {
    const path = tempFile(jsonLines({ type: "compaction_state", id: "x" }));
    expect((await scanTranscript(transcript, path)).facts.compactions).toBe(1);
  });
});

describe("what a session cost", () => {
  function stored(settings: unknown) {
    const place = tempPlace();
    const ref = sessions.file(place, ID) ?? "";
    copyFixture("factoryai-droid", "session.jsonl", ref);
    writeFileSync(ref.replace(/jsonl$/, "settings.json"), JSON.stringify(settings));
    return { place, ref };
  }

  it("stands beside it; calls are counted in it [droid-tokens-beside]", async () => {
    const settings = JSON.parse(
      fixtureContent("factoryai-droid", "session.settings.json").toString(),
    );
    expect(await totalTokens({ transcript, sessions }, stored(settings).ref)).toEqual({
      input_tokens: 2400,
      cache_creation_tokens: 0,
      cache_read_tokens: 600,
      output_tokens: 150,
      api_call_count: 3,
    });
  });

  it("has that of its children, who are found through it", async () => {
    const { place, ref } = stored({
      tokenUsage: { inputTokens: 10, outputTokens: 1 },
      childInclusiveTokenUsageBySessionId: {
        [CHILD]: { inputTokens: 5, outputTokens: 2 },
        "../evil": { inputTokens: 1 },
        gone: { inputTokens: 2 },
      },
    });
    copyFixture("factoryai-droid", "denied.jsonl", join(sessions.dir(place), `${CHILD}.jsonl`));
    const { total, children, files } = await scanFamily({ transcript, sessions }, ref);
    expect(children.map(({ id }) => id)).toEqual([CHILD]);
    expect(files).toEqual(["/home/dev/app/hello.txt"]);
    expect(total).toMatchObject({
      input_tokens: 10,
      api_call_count: 3,
      subagent_tokens: { input_tokens: 8, output_tokens: 2, api_call_count: 3 },
    });
  });

  it.each([undefined, {}, { tokenUsage: 5 }, "x", []])("is not made up of %o", async (settings) => {
    const { ref } = stored(settings ?? null);
    expect(await sessions.totals?.(ref)).toBeUndefined();
    expect(await totalTokens({ transcript, sessions }, ref)).toBeUndefined();
  });
});

it("a session is kept by project and can be given back", async () => {
  const place = tempPlace();
  const content = fixtureContent("factoryai-droid", "session.jsonl");
  const session = { sessionId: ID, agent: "factoryai-droid", project: "/p", ref: "", content };
  const { ref } = await sessions.write(place, session);
  expect(ref).toBe(
    join(place.home, ".factory/sessions", place.project.replaceAll("/", "-"), `${ID}.jsonl`),
  );
  const entry = findToolResultEntry(transcript, session, "call_mwi55g4v90");
  expect(entry).toBe("008e2c10-2557-4194-bc64-7498577821e6");
  expect(sessions.truncate(session, entry ?? "")?.content.length).toBeLessThan(content.length);
  expect(sessions.resumeCommand(ID)).toEqual(["droid", "--resume", ID]);
});
