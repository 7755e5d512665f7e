import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastAnswer, lastPrompt } from "../sessions/session-text.ts";
import { scanTranscript } from "../transcripts/scan.ts";
import {
  copyFixture,
  fixture,
  fixtureContent,
  tempFile,
  tempPlace,
} from "../transcripts/test-kit.ts";
import { sessionIdOf } from "./chat-history.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

async function factsOf(...lines: string[]) {
  const { facts } = await scanTranscript(transcript, tempFile(`${lines.join("\n")}\n`));
  return facts;
}

describe("a history of aider", () => {
  it("has what was asked of the model, what was changed and what it cost", async () => {
    const { facts } = await scanTranscript(transcript, fixture("aider", "history.md"));
    expect(facts.prompts.map(({ text }) => text)).toEqual([
      "add a greeting\nthat is polite",
      "now a test for it",
      "/ask what does it do",
    ]);
    expect(facts).toMatchObject({
      files: ["greet.py", "test_greet.py"],
      lastAnswer: "It greets.",
      model: "gpt-4o",
    });
    expect(facts.tokens).toEqual({
      input_tokens: 2100 + (12_000 - 1500 - 8000) + 33_712,
      cache_creation_tokens: 1500,
      cache_read_tokens: 8000,
      output_tokens: 1200 + 950 + 95,
      api_call_count: 3,
    });
  });

  it("is told with the files and commands of what aider did, and without the lines of edits", async () => {
    const { facts } = await scanTranscript(transcript, fixture("aider", "history.md"));
    const [, answer, ...did] = facts.story.entries;
    expect(answer?.text).toMatch(/^I will change the function\.\n[^<]*A quotation of the model$/);
    expect(did.slice(0, 2)).toEqual([
      { kind: "call", tool: "edit", text: "greet.py" },
      { kind: "call", tool: "bash", text: 'git commit -m "feat: Add a greeting"' },
    ]);
    expect(facts.prompts[0]?.text).toContain("add a greeting");
  });

  it("keeps headings and quotations of an answer in the answer", async () => {
    const facts = await factsOf(
      "#### go  ",
      "",
      "First.",
      "#### Heading",
      "> Quote",
      "Last.",
      "> Tokens: 1k sent, 2 received.  ",
    );
    expect(facts.prompts).toHaveLength(1);
    expect(facts.lastAnswer).toBe("First.\n#### Heading\n> Quote\nLast.");
  });

  it("does not take how aider was called for an answer", async () => {
    const facts = await factsOf(
      "> aider --message # Task",
      "",
      "**Task**",
      "",
      "#### go  ",
      "> x  ",
    );
    expect(facts.lastAnswer).toBeUndefined();
    expect(facts.lastPrompt).toBe("go");
  });

  it.each(["/add x", "/run make", "!ls", "/clear", ""])(
    "%o is nothing the model is asked",
    async (said) => {
      expect((await factsOf(`#### ${said}  `, "> ok  ")).prompts).toEqual([]);
    },
  );

  it.each([
    ["> Tokens: 950 sent, 12 received.", 950, 12],
    ["> Tokens: 1.2M sent, 3k received. Cost: $1.00 message, $2.00 session.", 1_200_000, 3000],
    ["> 1,024 prompt tokens, 7 completion tokens, $0.1 cost", 1024, 7],
  ])("%s", async (line, input, output) => {
    expect((await factsOf(line)).tokens).toMatchObject({
      input_tokens: input,
      output_tokens: output,
    });
  });

  it("lines that only look like a report are none", async () => {
    const { tokens } = await factsOf(
      "> Tokens: many sent",
      "> prompt tokens, none",
      "Tokens: 1k sent, 2 received",
    );
    expect(tokens.api_call_count).toBe(0);
  });
});

describe("chats of a project", () => {
  it("are parts of one file, known by their start", async () => {
    const place = tempPlace();
    const path = join(place.project, ".aider.chat.history.md");
    copyFixture("aider", "history.md", path);
    const first = await sessions.read(place, "aider-20261114090000");
    const second = await sessions.read(place, "aider-20261115103000");
    expect(first?.ref).toBe(`${path}#aider-20261114090000`);
    expect(await transcript.read(first?.ref ?? "")).toEqual(first?.content);
    expect(first && lastPrompt(transcript, first)).toBe("now a test for it");
    expect(second && lastPrompt(transcript, second)).toBe("/ask what does it do");
    expect(second && lastAnswer(transcript, second)).toBe("It greets.");
    expect(first?.content.toString()).not.toContain("It greets.");
    // The same chat, as another folder's session: it came from there.
    const given = await sessions.read(place, sessionIdOf("/else/where.md", "aider-20261114090000"));
    expect(given?.content).toEqual(first?.content);
    expect(await transcript.read(given?.ref ?? "")).toEqual(first?.content);
    expect(await sessions.read(place, "aider-20200101000000")).toBeUndefined();
    expect(await sessions.read(tempPlace(), "aider-20261114090000")).toBeUndefined();
  });

  it("are given back by appending them, once", async () => {
    const from = tempPlace();
    copyFixture("aider", "history.md", join(from.project, ".aider.chat.history.md"));
    const session = await sessions.read(from, "aider-20261114090000");
    if (!session) throw new Error("no session");
    const place = tempPlace({ AIDER_CHAT_HISTORY_FILE: "chats.md" });
    const path = join(place.project, "chats.md");
    writeFileSync(path, "\n# aider chat started at 2026-01-01 00:00:00\n\n#### mine  \n");
    const ref = `${path}#${session.sessionId}`;
    expect(await sessions.write(place, session)).toEqual({ ref, written: true });
    expect(await sessions.write(place, session)).toEqual({ ref, written: false });
    expect((await sessions.read(place, session.sessionId))?.content).toEqual(session.content);
    expect(readFileSync(path, "utf8")).toContain("#### mine");
    const other = { ...session, content: Buffer.from("something else") };
    await expect(sessions.write(tempPlace(), other)).rejects.toMatchObject({
      code: "SEAM_SESSION_WRITE",
    });
    expect(sessions.resumeCommand(session.sessionId)).toEqual(["aider", "--restore-chat-history"]);
  });

  it("can be cut after an entry", () => {
    const content = fixtureContent("aider", "history.md");
    const session = { sessionId: "x", agent: "aider", project: "/p", ref: "", content };
    const upTo = (id: string) => sessions.truncate(session, id)?.content.toString().trimEnd();
    expect(upTo("line-30")).toMatch(/Applied edit to greet.py$/);
    expect(upTo("line-33")).toMatch(/#### now a test for it$/);
    expect(upTo("line-14")).toMatch(/>>>>>>> REPLACE\n```$/);
    expect(upTo("line-999")).toBeUndefined();
  });
});
