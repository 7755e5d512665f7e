import { appendFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { jsonLines, tempFile } from "../transcripts/test-kit.ts";
import { transcript } from "./transcript.ts";

const said = (text: string) => ({
  type: "assistant",
  message: { content: [{ type: "text", text }] },
});
const asked = (text: string) => ({ type: "user", message: { content: text } });
/** Longer than a test may take: one that waits for it fails. */
const FOREVER = 600_000;

/** The wait of the transcript, which has to be there. */
function prepare(path: string, options: { text?: string; timeoutMs: number }): Promise<void> {
  if (!transcript.prepare) throw new Error("Claude Code's transcript is not waited for.");
  return transcript.prepare(path, options);
}

/** Whether the wait was over before the given thing was done. */
async function waits(path: string, text: string, then: () => void) {
  let isOver = false;
  const waiting = prepare(path, { text, timeoutMs: FOREVER }).then(() => {
    isOver = true;
  });
  await sleep(100);
  const wasOver = isOver;
  then();
  await waiting;
  return { wasOver };
}

describe("waiting for Claude Code to write [claude-late-transcript]", { timeout: 20_000 }, () => {
  it("goes on as soon as the last answer is there", async () => {
    const text = `Line one\n"quoted" \\ and 日本語 ${"x".repeat(500)}\nthe end`;
    const path = tempFile(jsonLines(asked("go"), said("not yet")));
    const { wasOver } = await waits(path, text, () => {
      appendFileSync(path, jsonLines(said(text), { type: "attachment" }));
    });
    expect(wasOver).toBe(false);
  });

  it("does not take the same words from before the last prompt", async () => {
    const path = tempFile(jsonLines(asked("a"), said("Done."), asked("b")));
    const { wasOver } = await waits(path, "Done.", () => {
      appendFileSync(path, jsonLines(said("Done.")));
    });
    expect(wasOver).toBe(false);
  });

  it("does not take words for the answer that hold it, or came before a call and its result", async () => {
    const called = {
      type: "tool_use",
      id: "toolu_ok",
      name: "Bash",
      input: { command: "echo ok" },
    };
    const calls = { type: "assistant", message: { content: [called], stop_reason: "tool_use" } };
    const result = { type: "tool_result", tool_use_id: "toolu_ok", content: "ok" };
    const lines = [asked("ok?"), said("Look, ok, a book"), said("ok"), calls];
    const answers = [
      // The result is not written yet, then it is, then there is one more word on the way.
      lines,
      [...lines, { type: "user", message: { content: [result] } }],
      [...lines, { type: "user", message: { content: [result] } }, said("Look, this is ok")],
      [
        asked("ok?"),
        { ...said("ok"), message: { ...said("ok").message, stop_reason: "tool_use" } },
      ],
    ];
    for (const before of answers) {
      const path = tempFile(jsonLines(...before));
      const { wasOver } = await waits(path, "ok", () =>
        appendFileSync(path, jsonLines(said("ok"))),
      );
      expect(wasOver).toBe(false);
    }
  });

  it("does not take a line that is half written", async () => {
    const line = jsonLines(said("ok"));
    const path = tempFile(jsonLines(asked("a"), said("ok"), asked("b")) + line.slice(0, -9));
    const { wasOver } = await waits(path, "ok", () => appendFileSync(path, line.slice(-9)));
    expect(wasOver).toBe(false);
  });

  it("does not wait if all is there", async () => {
    const path = tempFile(jsonLines(asked("a"), said("Done."), { type: "last-prompt" }));
    // Else the test itself would not end in time.
    await prepare(path, { text: "Done.\n", timeoutMs: FOREVER });
  });

  it("without words waits only until the file is quiet", async () => {
    const path = tempFile("x");
    let left = 30;
    const writing = setInterval(() => {
      appendFileSync(path, "x");
      if (--left === 0) clearInterval(writing);
    }, 1);
    await prepare(path, { timeoutMs: FOREVER });
    expect(left).toBe(0);
  });

  it("gives up when its time is over, also if there is no file", async () => {
    const path = tempFile(jsonLines(asked("a")));
    await prepare(path, { text: "never", timeoutMs: 60 });
    rmSync(path);
    await prepare(path, { text: "never", timeoutMs: 60 });
    await prepare(path, { timeoutMs: FOREVER });
  });

  it("waits for a file that is still to come", async () => {
    const path = `${tempFile()}.later`;
    const { wasOver } = await waits(path, "Done.", () => {
      appendFileSync(path, jsonLines(said("Done.")));
    });
    expect(wasOver).toBe(false);
  });
});
