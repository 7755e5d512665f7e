import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { jsonLines, tempFile } from "../transcripts/test-kit.ts";
import { transcript } from "./transcript.ts";

/** Longer than a test may take: one that waits for it fails. */
const FOREVER = 600_000;

/** The wait of the transcript, which has to be there. */
function prepare(path: string, timeoutMs: number): Promise<void> {
  if (!transcript.prepare) throw new Error("Copilot CLI's transcript is not waited for.");
  return transcript.prepare(path, { timeoutMs });
}

describe("waiting for Copilot CLI to write [copilot-late-transcript]", { timeout: 20_000 }, () => {
  it("goes on when nothing more comes", async () => {
    const path = tempFile(jsonLines({ type: "user.message" }));
    let left = 5;
    const writing = setInterval(() => {
      if (left-- > 0) appendFileSync(path, jsonLines({ type: "assistant.message", left }));
      else clearInterval(writing);
    }, 50);
    await prepare(path, FOREVER);
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(6);
  });

  it("waits no longer than it may, and not for a file that is not there", async () => {
    const path = tempFile("");
    const writing = setInterval(() => appendFileSync(path, "x"), 10);
    await prepare(path, 300);
    clearInterval(writing);
    await prepare(`${path}-none`, FOREVER);
  });
});
