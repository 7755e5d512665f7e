import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastAnswer, lastPrompt } from "../sessions/session-text.ts";
import { scanTranscript } from "../transcripts/scan.ts";
import { allModifiedFiles } from "../transcripts/scan-with-subagents.ts";
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

const NOTHING = { input_tokens: 0, output_tokens: 0, api_call_count: 0 };

describe("a conversation of Cursor", () => {
  it("has what was typed, what was changed and what was said, and no tokens", async () => {
    const { facts } = await scanTranscript(transcript, fixture("cursor", "agent.jsonl"));
    expect(facts).toMatchObject({
      prompts: [
        { text: "add a greeting", position: 0 },
        { text: "thank you", position: 8 },
      ],
      files: ["/home/dev/app/greet.ts", "/home/dev/app/old.ts"],
      lastAnswer: "You are welcome.",
      skills: [],
      tokens: NOTHING,
    });
  });

  it("of an older version has the same from its text", async () => {
    const { facts, garbageLines } = await scanTranscript(
      transcript,
      fixture("cursor", "legacy.txt"),
    );
    expect(facts).toMatchObject({
      prompts: [{ text: "add a greeting" }, { text: "thank you" }],
      files: ["/home/dev/app/greet.ts"],
      lastAnswer: "You are welcome.",
    });
    expect(garbageLines).toBe(0);
  });

  it.each([
    ["<attached_files>\nx\n</attached_files>", undefined],
    ["<user_query>\na\n</user_query>\n<user_query>b</user_query>", "a\nb"],
    ["just text", "just text"],
    ["<user_query></user_query>", undefined],
  ])("of %o the prompt is %o", async (text, prompt) => {
    const record = { role: "user", message: { content: [{ type: "text", text }] } };
    const { facts } = await scanTranscript(transcript, tempFile(jsonLines(record)));
    expect(facts.lastPrompt).toBe(prompt);
  });

  it("has the files of every tool that changes some", async () => {
    const use = (name: string, input: object) => ({ type: "tool_use", id: name, name, input });
    const content = [
      use("Write", { file_path: "a" }),
      use("EditNotebook", { target_notebook: "b" }),
      use("ApplyPatch", { input: "*** Begin Patch\n*** Add File: c\n+x\n*** End Patch" }),
      use("Shell", { command: "rm d" }),
    ];
    const record = { role: "assistant", message: { content } };
    const { facts } = await scanTranscript(transcript, tempFile(jsonLines(record)));
    expect(facts.files).toEqual(["a", "b", "c"]);
  });
});

describe("where Cursor keeps conversations", () => {
  const content = fixtureContent("cursor", "agent.jsonl");

  it("is a folder named after the project, with children inside", async () => {
    const place = tempPlace();
    const at = sessions.dir({ ...place, project: "/home/dev/.my_app v1.0" });
    expect(at).toBe(join(place.home, ".cursor/projects/home-dev-my-app-v1-0/agent-transcripts"));
    const ref = sessions.file(place, "abc") ?? "";
    copyFixture("cursor", "agent.jsonl", ref);
    const child = {
      role: "assistant",
      message: { content: [{ type: "tool_use", name: "Write", input: { path: "child" } }] },
    };
    mkdirSync(join(ref, "../subagents"));
    writeFileSync(join(ref, "../subagents/x.jsonl"), jsonLines(child));
    expect(await allModifiedFiles({ transcript, sessions }, ref)).toContain("child");
    expect((await sessions.read(place, "abc"))?.content.equals(content)).toBe(true);
  });

  it("is a text beside it for an older one", () => {
    const place = tempPlace();
    const path = join(sessions.dir(place), "old.txt");
    copyFixture("cursor", "legacy.txt", path);
    expect(sessions.file(place, "old")).toBe(path);
  });

  it("cannot be written to, and that is said", async () => {
    const session = { sessionId: "abc", agent: "cursor", project: "/p", ref: "", content };
    await expect(sessions.write(tempPlace(), session)).rejects.toMatchObject({
      code: "SEAM_SESSION_FOREIGN",
      message: expect.stringContaining("Cursor"),
    });
    expect(lastPrompt(transcript, session)).toBe("thank you");
    expect(lastAnswer(transcript, session)).toBe("You are welcome.");
    const cut = sessions.truncate(session, "line-6");
    expect(cut && lastAnswer(transcript, cut)).toBe("Done.");
    expect(sessions.resumeCommand("abc")).toEqual(["cursor-agent", "--resume=abc"]);
  });
});
