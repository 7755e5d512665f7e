import { afterAll, describe, expect, it } from "vitest";
import { sampled } from "../../setup/sample.ts";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { labelOf, whyNotRun } from "../drive/installed.ts";
import { Worker } from "./test-kit/worker.ts";

const usage = { input: 900, cached: 100, output: 20 };
const NAMES = Object.keys(AGENTS) as AgentName[];
const schema = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    findings: { type: "array", items: { type: "string" } },
  },
  required: ["approved", "findings"],
  additionalProperties: false,
};
const result = { approved: true, findings: ["one"] };

describe.each(sampled(NAMES, "claude-code", "codex"))("%s and a typed result", (name) => {
  const worker = new Worker(name);
  const skip = whyNotRun(AGENTS[name]) !== undefined;
  afterAll(() => worker.remove());

  it.skipIf(skip)(`gives one after it used a tool: ${labelOf(AGENTS[name])}`, async () => {
    const { end } = await worker.work(
      [
        { text: "First.", toolCalls: [{ do: "shell", command: "printf %d 42" }], usage },
        { text: JSON.stringify(result), usage },
        { text: JSON.stringify(result), usage },
        { text: JSON.stringify(result), usage },
      ],
      { schema, access: "read" },
    );
    expect(end).toMatchObject({ kind: "finished", result });
  });
});

describe("Claude Code's own tool for typed results", () => {
  const worker = new Worker("claude-code");
  afterAll(() => worker.remove());
  const hand = (input: object) => ({ name: "StructuredOutput", input: { ...input } });

  it("may be the only one that is used, however long the answer takes after it", async () => {
    const { end, play } = await worker.work(
      [
        { toolCalls: [hand({ approved: "yes" })], usage },
        { toolCalls: [hand(result)], usage },
        { text: "Handed over.", usage, waitMs: 4_000 },
      ],
      { schema, access: "read" },
    );
    expect(end).toMatchObject({ kind: "finished", result });
    expect(JSON.stringify(play.requests)).toContain("StructuredOutput");
  });
});
