import { describe, expect, it } from "vitest";
import { payloadOf, readingOf, said } from "../hooks/test-kit/payloads.ts";
import { hooks } from "./hooks.ts";

const PARENT = "962471d4-6784-433b-b2c4-a7fa13af7838";
const CHILD = "601612f1-bf5c-403b-9608-be33fe0819af";
const read = (name: string) => readingOf("copilot-cli", name);
const { mapping } = hooks;

describe("what Copilot says", () => {
  it("names session and folder", () => {
    expect(read("userPromptSubmitted")).toEqual({
      sessionId: "1204492f-1ab9-4726-912c-436472201bd7",
      cwd: "/home/dev/app",
      prompt: "please say hi",
      at: expect.stringMatching(/^2026-.*Z$/),
    });
    expect(read("agentStop")?.transcriptPath).toContain("events.jsonl");
  });

  it("starts anew or resumes", () => {
    expect(read("sessionStart")?.start).toEqual({ reason: "startup" });
    expect(read("sessionStart.resume")?.start).toEqual({ reason: "resume" });
  });

  it("a call and its result", () => {
    expect(read("preToolUse.create")?.tools).toMatchObject([
      {
        name: "write",
        nativeName: "create",
        input: { path: "/home/dev/app/hello.txt", content: "hello\n" },
      },
    ]);
    const [tool] = read("postToolUse.bash")?.tools ?? [];
    expect(tool?.result).toMatchObject({
      isError: false,
      content: [{ text: "hi\n<shellId: 0 completed with exit code 0>" }],
    });
    const [failed] = read("postToolUseFailure")?.tools ?? [];
    expect(failed).toMatchObject({
      name: "read",
      result: { isError: true, content: [{ text: "Path does not exist" }] },
    });
  });

  it("[copilot-failed-command] a command that failed", () => {
    const failed = (name: string) => read(name)?.tools?.[0]?.result?.isError;
    expect(failed("postToolUse.bash.failed")).toBe(true);
    expect(failed("postToolUse.bash")).toBe(false);
  });

  it("[copilot-child-session] what a subagent does is the parent session's, and marked", () => {
    expect(read("preToolUse.in-subagent")).toMatchObject({
      sessionId: PARENT,
      inSubagent: { id: CHILD, type: "general-purpose" },
    });
  });

  it("a subagent's start and end", () => {
    const subagent = { id: CHILD, type: "general-purpose" };
    expect(read("subagentStart")).toMatchObject({ sessionId: PARENT, subagent });
    expect(read("subagentStop")?.subagent).toEqual({ ...subagent, lastMessage: "sub done" });
    expect(read("subagentStop")?.inSubagent).toBeUndefined();
  });

  it("a skill", () => {
    expect(read("preToolUse.skill")?.skill).toMatchObject({ skill: { name: "greet" } });
  });
});

describe("what Copilot is told", () => {
  it("a refusal", () => {
    expect(said("copilot-cli", "preToolUse", { block: { reason: "no" } }, {})).toEqual({
      permissionDecision: "deny",
      permissionDecisionReason: "no",
    });
  });

  it("[copilot-rewrite-allows] a changed input, which allows it", () => {
    expect(said("copilot-cli", "preToolUse", { input: { command: "ls" } }, {})).toEqual({
      permissionDecision: "allow",
      modifiedArgs: { command: "ls" },
    });
  });

  it("another result", () => {
    const content = [{ type: "text" as const, text: "***" }];
    const tell = (isError: boolean) =>
      said("copilot-cli", "postToolUse", { result: { content, isError } }, {});
    expect(tell(false)).toEqual({
      modifiedResult: { resultType: "success", textResultForLlm: "***" },
    });
    expect(tell(true)).toMatchObject({ modifiedResult: { resultType: "failure" } });
  });

  it("[copilot-prompt-exit-2] a stopped prompt, as JSON, and a changed one", () => {
    const tell = (prompt: object) => said("copilot-cli", "userPromptSubmitted", { prompt }, {});
    expect(tell({ blocked: "no" })).toEqual({ decision: "block", reason: "no" });
    expect(tell({ text: "other" })).toEqual({ modifiedPrompt: "other" });
  });
});

it("[copilot-stop-in-subagent] a subagent that stops is not the agent that stops", () => {
  const skips = (name: string) => mapping.agentStop?.skip?.(payloadOf("copilot-cli", name));
  expect(skips("agentStop.in-subagent")).toBe(true);
  expect(skips("agentStop")).toBe(false);
});

it("[copilot-subagent-prompt] what the model tells a subagent is no prompt of the user's", () => {
  const skips = (name: string) =>
    mapping.userPromptSubmitted?.skip?.(payloadOf("copilot-cli", name));
  expect(skips("userPromptSubmitted.in-subagent")).toBe(true);
  expect(skips("userPromptSubmitted")).toBe(false);
});

it("[copilot-permission-request] permissionRequest is not used", () => {
  expect(mapping).not.toHaveProperty("permissionRequest");
});
