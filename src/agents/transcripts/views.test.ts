import { describe, expect, it } from "vitest";
import { transcript as claude } from "../claude-code/transcript.ts";
import { transcript as opencode } from "../opencode/transcript.ts";
import { fixture } from "./test-kit.ts";
import {
  modifiedFilesFrom,
  promptsFrom,
  skillEventsFrom,
  summaryOf,
  tokenUsageFrom,
  transcriptPosition,
} from "./views.ts";

const MAIN = fixture("claude-code", "compacted.jsonl");
const EXPORT = fixture("opencode", "export-main.json");
const GONE = `${MAIN}.gone`;

describe("questions to a transcript", () => {
  it("how long it is: lines, or messages", async () => {
    expect(await transcriptPosition(claude, MAIN)).toBe(85);
    expect(await transcriptPosition(opencode, EXPORT)).toBe(9);
    expect(await transcriptPosition(claude, GONE)).toBe(0);
  });

  it("what was changed from a place on, and how far that is", async () => {
    const files = ["/home/dev/app/out.txt"];
    expect(await modifiedFilesFrom(claude, MAIN, 0)).toEqual({ files, position: 85 });
    expect(await modifiedFilesFrom(claude, MAIN, 37)).toEqual({ files, position: 85 });
    expect(await modifiedFilesFrom(claude, MAIN, 40)).toEqual({ files: [], position: 85 });
    expect(await modifiedFilesFrom(opencode, EXPORT, 7)).toEqual({ files: [], position: 9 });
    expect(await modifiedFilesFrom(claude, GONE, 0)).toEqual({ files: [], position: 0 });
  });

  it("what was asked from a place on", async () => {
    expect(await promptsFrom(claude, MAIN, 3)).toEqual([
      "/greet Alice SCRIPT:none",
      "go SCRIPT:big",
    ]);
    expect(await promptsFrom(claude, MAIN, 1000)).toEqual([]);
  });

  it("which skills were used from a place on", async () => {
    expect(await skillEventsFrom(claude, MAIN, 0)).toHaveLength(2);
    expect(await skillEventsFrom(claude, MAIN, 18)).toMatchObject([
      { event_type: "prompt_invocation" },
    ]);
  });

  it("what it cost from a place on", async () => {
    expect(await tokenUsageFrom(claude, MAIN, 0)).toMatchObject({ api_call_count: 10 });
    expect(await tokenUsageFrom(claude, MAIN, 70)).toMatchObject({ api_call_count: 2 });
    expect(await tokenUsageFrom(opencode, EXPORT, 8)).toMatchObject({ api_call_count: 1 });
  });

  it("what it was about: its title, or what was said last", async () => {
    expect(await summaryOf(opencode, EXPORT)).toBe("Mock summary/title text.");
    expect(await summaryOf(claude, MAIN)).toBe("Mock reply (no script).");
    expect(await summaryOf(claude, GONE)).toBeUndefined();
  });
});
