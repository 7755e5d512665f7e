import { describe, expect, it } from "vitest";
import { payloadOf, readingOf, said } from "../hooks/test-kit/payloads.ts";
import { hooks } from "./hooks.ts";

const SESSION = "3cf8e158-0b1d-4f3c-9a51-5d0c5f0d9b11";
const read = (name: string) => readingOf("cursor", name);
const { mapping } = hooks;

describe("what Cursor says", () => {
  it("[cursor-empty-cwd] names session and turn, and the folder it is opened in", () => {
    expect(read("preToolUse.Shell")).toMatchObject({
      sessionId: SESSION,
      turnId: "f7746f6e-2f0e-4f7c-8e7e-6a5f3f9f0c01",
      cwd: "/home/dev/app",
    });
    expect(read("sessionStart")?.turnId).toBeUndefined();
    expect(read("sessionStart")?.transcriptPath).toBeUndefined();
  });

  it.each([
    ["Shell", "bash", { command: "echo hi", timeout: 30 }],
    ["Read", "read", { path: "/home/dev/app/a.txt" }],
    ["Write", "write", { path: "/home/dev/app/.env", content: "A=1\n" }],
    ["Grep", "grep", { pattern: "TODO", path: "/home/dev/app" }],
  ])("a call of %s", (nativeName, name, input) => {
    expect(read(`preToolUse.${nativeName}`)?.tools).toMatchObject([{ nativeName, name, input }]);
  });

  it("[cursor-input-as-text] the input of an MCP tool", () => {
    expect(read("preToolUse.MCP")?.tools).toMatchObject([
      { name: "MCP:search", input: { query: "seam" } },
    ]);
  });

  it("[cursor-output-as-text] a command's output and exit code", () => {
    const result = (name: string) => read(name)?.tools?.[0]?.result;
    expect(result("postToolUse.Shell")).toMatchObject({
      isError: false,
      content: [{ type: "text", text: "hi\n" }],
    });
    expect(result("postToolUse.Shell.failed")?.isError).toBe(true);
    expect(result("postToolUse.Read")?.content).toMatchObject([
      { text: expect.stringContaining("content_length") },
    ]);
    expect(result("postToolUseFailure.timeout")).toMatchObject({
      isError: true,
      content: [{ text: "Command timed out" }],
    });
  });

  it("a subagent", () => {
    expect(read("subagentStart")?.subagent).toEqual({
      id: "tool_57cc",
      toolCallId: "tool_57cc",
      type: "general-purpose",
      task: "Reply with the single word DONE",
    });
  });

  it("a stop that the user wanted", () => {
    expect(read("stop.aborted")?.aborted).toBe(true);
    expect(read("stop")?.aborted).toBeUndefined();
  });
});

describe("what Cursor is told", () => {
  it("[cursor-user-message] a refusal", () => {
    expect(said("cursor", "preToolUse", { block: { reason: "no" } }, {})).toEqual({
      permission: "deny",
      user_message: "no",
    });
  });

  it("[cursor-rewrite-allows] a changed input, which allows it", () => {
    expect(said("cursor", "preToolUse", { input: { command: "ls" } }, {})).toEqual({
      permission: "allow",
      updated_input: { command: "ls" },
    });
  });

  it("a stopped prompt, more to know, and to go on", () => {
    expect(said("cursor", "beforeSubmitPrompt", { prompt: { blocked: "no" } }, {})).toEqual({
      continue: false,
      user_message: "no",
    });
    expect(said("cursor", "postToolUse", { context: "more" }, {})).toEqual({
      additional_context: "more",
    });
    expect(said("cursor", "stop", { goOn: "test it" }, {})).toEqual({
      followup_message: "test it",
    });
  });
});

it("[cursor-two-tool-hooks] a call is told of once", () => {
  const told = Object.entries(mapping).filter(([, row]) => row.events.includes("tool_call"));
  expect(told.map(([hook]) => hook)).toEqual(["preToolUse"]);
});

it("[cursor-denied-fails] a call that was refused did not fail", () => {
  const skips = (name: string) => mapping.postToolUseFailure?.skip?.(payloadOf("cursor", name));
  expect(skips("postToolUseFailure.denied")).toBe(true);
  expect(skips("postToolUseFailure.timeout")).toBe(false);
});
