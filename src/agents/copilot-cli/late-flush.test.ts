import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { jsonLines, tempFile } from "../transcripts/test-kit.ts";
import { transcript } from "./transcript.ts";

const FOREVER = 60_000;

describe("waiting for Copilot CLI to write [copilot-late-transcript]", () => {
  it("goes on when nothing more comes", async () => {
    const path = tempFile(jsonLines({ type: "user.message" }));
    let left = 5;
    const writing = setInterval(() => {
      if (left-- > 0) appendFileSync(path, jsonLines({ type: "assistant.message", left }));
      else clearInterval(writing);
    }, 50);
    await transcript.prepare?.(path, { timeoutMs: FOREVER });
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(6);
  });

  it("waits no longer than it may, and not for a file that is not there", async () => {
    const path = tempFile("");
    const writing = setInterval(() => appendFileSync(path, "x"), 10);
    await transcript.prepare?.(path, { timeoutMs: 300 });
    clearInterval(writing);
    await transcript.prepare?.(`${path}-none`, { timeoutMs: FOREVER });
  });
});
