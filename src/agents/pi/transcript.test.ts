import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastAnswer, lastPrompt } from "../sessions/session-text.ts";
import { scanTranscript } from "../transcripts/scan.ts";
import {
  fixture,
  fixtureContent,
  jsonLines,
  tempFile,
  tempPlace,
} from "../transcripts/test-kit.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const ID = "01a1e05c-bd84-7e3b-9a3b-d93fe47bb2b0";
const factsOf = async (name: string) =>
  (await scanTranscript(transcript, fixture("pi", name))).facts;

describe("a session of Pi", () => {
  it("has what was asked, changed and said, and what it cost", async () => {
    const facts = await factsOf("main-resumed-compacted.jsonl");
    expect(facts).toMatchObject({
      prompts: [{ text: "Please go. SCRIPT:pifull" }, { text: "again SCRIPT:none" }],
      files: ["/home/dev/app/out.txt"],
      lastAnswer: "Mock: no script none",
      model: "mock-model",
      compactions: 1,
      toolResults: 5,
    });
    expect(facts.tokens).toEqual({
      input_tokens: 720,
      cache_creation_tokens: 0,
      cache_read_tokens: 180,
      output_tokens: 252,
      api_call_count: 6,
    });
  });

  it("that was forked says from which", async () => {
    const ref = fixture("pi", "forked.jsonl");
    const { facts } = await scanTranscript(transcript, ref, { since: "2026-11-15T18:02:41.000Z" });
    expect(facts.origins).toEqual([ID]);
  });

  it("that goes on from another without what is in it is no fork", async () => {
    const [header = ""] = fixtureContent("pi", "forked.jsonl").toString().split("\n");
    const path = tempFile(`${header}\n`);
    const { facts } = await scanTranscript(transcript, path, { since: "2026-11-16T00:00:00Z" });
    expect(facts.origins).toEqual([]);
  });

  it("has its name, and neither a blocked call nor the user's own shell in it as work", async () => {
    const facts = await factsOf("tui-blocked-userbash-named.jsonl");
    expect(facts).toMatchObject({ summary: "mysess", files: [], lastPrompt: "hi SCRIPT:pibash" });
  });
});

describe("skills", () => {
  it("are not told by the transcript: an expanded prompt is only shown as it was typed", async () => {
    const facts = await factsOf("skill-command.jsonl");
    expect(facts.skills).toEqual([]);
    expect(facts.lastPrompt).toBe("/skill:greet Bob SCRIPT:none");
  });

  it("are not seen in a read of SKILL.md", async () => {
    expect((await factsOf("main-resumed-compacted.jsonl")).skills).toEqual([]);
  });

  it.each([
    ["without arguments", '<skill name="x" location="/l">\nbody\n</skill>', "/skill:x"],
    [
      "with a body that closes the tag itself",
      '<skill name="x" location="/l">\na </skill> b\n</skill>\n\ngo',
      "/skill:x go",
    ],
    [
      "not at the start",
      'see <skill name="x" location="/l">',
      'see <skill name="x" location="/l">',
    ],
  ])("typed %s", async (_, text, typed) => {
    const message = { role: "user", content: [{ type: "text", text }] };
    const path = tempFile(jsonLines({ type: "message", id: "1", message }));
    expect((await scanTranscript(transcript, path)).facts.lastPrompt).toBe(typed);
  });
});

describe("where Pi keeps sessions", () => {
  it("is a folder for each project, with the start in the name", async () => {
    const place = tempPlace();
    const content = fixtureContent("pi", "main-resumed-compacted.jsonl");
    const session = { sessionId: ID, agent: "pi", project: place.project, ref: "", content };
    expect(sessions.file(place, ID)).toBeUndefined();
    const { ref, written } = await sessions.write(place, session);
    expect(written).toBe(true);
    expect(ref).toBe(join(sessions.dir(place), `2026-11-15T17-58-56-644Z_${ID}.jsonl`));
    expect((await sessions.read(place, ID))?.content.equals(content)).toBe(true);
    const cut = sessions.truncate(session, "89d188fe");
    expect(cut && lastPrompt(transcript, cut)).toBe("Please go. SCRIPT:pifull");
    expect(cut && lastAnswer(transcript, cut)).toBe("All done, final answer.");
    expect(cut && (await sessions.write(place, cut))).toEqual({ ref, written: false });
  });

  it.each([
    [{}, "/h/.pi/agent/sessions/--home-dev-app--"],
    [{ PI_CODING_AGENT_DIR: "/a" }, "/a/sessions/--home-dev-app--"],
    [{ PI_CODING_AGENT_SESSION_DIR: "/s" }, "/s"],
  ])("follows the environment: %o", (env, dir) => {
    expect(sessions.dir({ project: "/home/dev/app", home: "/h", env })).toBe(dir);
  });

  it("is not made up for a session without a start", async () => {
    const session = {
      sessionId: ID,
      agent: "pi",
      project: "/p",
      ref: "/x",
      content: Buffer.from("{}"),
    };
    await expect(sessions.write(tempPlace(), session)).rejects.toMatchObject({
      code: "SEAM_SESSION_WRITE",
    });
    expect(sessions.resumeCommand(ID)).toEqual(["pi", "--session", ID]);
  });
});
