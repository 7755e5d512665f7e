import { describe, expect, it } from "vitest";
import { replacementMismatch } from "./message-shapes.ts";

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
const text = { type: "text", text: "hi" };
const SOUND = {
  user: { role: "user", content: "hi", timestamp: 0 },
  custom: { role: "custom", customType: "c", content: [text], display: true, timestamp: 0 },
  assistant: { role: "assistant", content: [text], usage, stopReason: "stop", timestamp: 0 },
  toolResult: {
    role: "toolResult",
    toolCallId: "1",
    toolName: "t",
    content: [text],
    isError: false,
    timestamp: 0,
  },
};

describe("a message in the place of another one", () => {
  it.each(Object.entries(SOUND))("%s: may say something else, and carry more", (_, message) => {
    const changed = { ...message, content: [{ ...text, text: "bye", more: 1 }], extra: true };
    expect(replacementMismatch(message, changed)).toBeUndefined();
  });

  it.each(Object.entries(SOUND))("%s: must have content", (_, message) => {
    for (const content of [undefined, null, 5, {}, [null], [{ type: "text" }], [{ type: "?" }]]) {
      expect(replacementMismatch(message, { ...message, content })).toContain("content");
    }
  });

  it.each([
    ["another role", SOUND.user, { ...SOUND.user, role: "custom" }, 'role "custom"'],
    ["no usage", SOUND.assistant, { ...SOUND.assistant, usage: undefined }, "usage"],
    ["no stop reason", SOUND.assistant, { ...SOUND.assistant, stopReason: "x" }, "stopReason"],
    ["another call", SOUND.toolResult, { ...SOUND.toolResult, toolCallId: "2" }, "tool call"],
    ["no isError", SOUND.toolResult, { ...SOUND.toolResult, isError: 1 }, "isError"],
  ])("is refused with %s", (_, before, after, problem) => {
    expect(replacementMismatch(before, after)).toContain(problem);
  });

  it("is not measured against what the one before was not", () => {
    const odd = { ...SOUND.assistant, content: [{ type: "odd" }] };
    expect(replacementMismatch(odd, { ...odd, timestamp: 1 })).toBeUndefined();
    expect(replacementMismatch({ role: "new" }, { role: "new", a: 1 })).toBeUndefined();
  });
});
