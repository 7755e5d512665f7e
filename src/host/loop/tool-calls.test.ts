import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import {
  addTool,
  type HostedOptions,
  hosted,
  resultTexts,
  storedResults,
  testProject,
  text,
} from "../test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });
const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });

describe("several calls in one answer", () => {
  const timeline = (mode: "parallel" | "sequential" | undefined, steps: string[]) => ({
    turns: [{ toolCalls: [call("slow"), call("fast")] }, { text: "done" }],
    extend: (pi: Parameters<typeof addTool>[0]) => {
      const tool = (name: string, ms: number, more: object) =>
        addTool(
          pi,
          name,
          async () => {
            steps.push(`${name} begins`);
            await sleep(ms);
            steps.push(`${name} ends`);
            return text(name);
          },
          more,
        );
      tool("slow", 40, {});
      tool("fast", 1, mode ? { executionMode: mode } : {});
    },
  });

  it("run at the same time; their results keep the order of the calls", async () => {
    const steps: string[] = [];
    const { agent } = await run(timeline(undefined, steps));
    await agent.prompt("go");
    expect(steps).toEqual(["slow begins", "fast begins", "fast ends", "slow ends"]);
    expect(resultTexts(agent)).toEqual(["slow", "fast"]);
  });

  it("run one after the other if one of them is sequential", async () => {
    const steps: string[] = [];
    const { agent } = await run(timeline("sequential", steps));
    await agent.prompt("go");
    expect(steps).toEqual(["slow begins", "slow ends", "fast begins", "fast ends"]);
    expect(resultTexts(agent)).toEqual(["slow", "fast"]);
  });

  it("are asked about one after the other, before any of them runs", async () => {
    const steps: string[] = [];
    const { agent } = await run({
      ...timeline(undefined, steps),
      on: {
        tool_call: async ({ toolName }) => {
          steps.push(`${toolName}?`);
          await sleep(5);
          steps.push(`${toolName}!`);
        },
      },
    });
    await agent.prompt("go");
    expect(steps.slice(0, 4)).toEqual(["slow?", "slow!", "fast?", "fast!"]);
  });
});

describe("terminate", () => {
  const answers = (...terminate: boolean[]): HostedOptions => ({
    turns: [{ toolCalls: terminate.map((_, at) => call(`t${at}`)) }, { text: "went on" }],
    extend: (pi) => {
      for (const [at, value] of terminate.entries()) {
        addTool(pi, `t${at}`, async () => text("ok", { terminate: value }));
      }
    },
  });

  it("ends the turn without another model call", async () => {
    const { agent, requests } = await run(answers(true));
    await agent.prompt("go");
    expect(requests).toHaveLength(1);
    expect(resultTexts(agent)).toEqual(["ok"]);
  });

  it("has to be said by all calls of the answer", async () => {
    const both = await run(answers(true, true));
    await both.agent.prompt("go");
    expect(both.requests).toHaveLength(1);
    const one = await run(answers(true, false));
    await one.agent.prompt("go");
    expect(one.requests).toHaveLength(2);
  });
});

describe("a call that cannot be made", () => {
  const number = { parameters: Type.Object({ n: Type.Number() }) };
  const ran: unknown[] = [];
  const withTool = (toolCall: object): HostedOptions => ({
    turns: [{ toolCalls: [{ name: "add", ...toolCall }] }, { text: "sorry" }],
    extend: (pi) =>
      addTool(
        pi,
        "add",
        async (_id, params) => {
          ran.push(params);
          return text("added");
        },
        number,
      ),
  });

  it.each([
    ["an unknown tool", { name: "ad" }, /no tool "ad".*add/],
    ["malformed JSON", { malformed: '{"n": 5' }, /not valid JSON/],
    ["arguments that do not fit", { arguments: { n: "five" } }, /arguments are wrong.*n /],
    ["missing arguments", { arguments: {} }, /arguments are wrong/],
  ])("because of %s becomes an error the model can learn from", async (_, toolCall, message) => {
    ran.length = 0;
    const { agent, requests, of } = await run(withTool(toolCall));
    await agent.prompt("go");
    expect(ran).toEqual([]);
    expect(storedResults(agent)).toMatchObject([{ isError: true }]);
    expect(resultTexts(agent)[0]).toMatch(message);
    expect(requests).toHaveLength(2);
    // Nobody is asked about what will not run.
    expect(of("tool_call")).toEqual([]);
    expect(of("tool_result")).toEqual([]);
    expect(of("tool_execution_end")).toMatchObject([{ isError: true }]);
  });

  it("unless the arguments can be converted without a doubt", async () => {
    ran.length = 0;
    const { agent } = await run(withTool({ arguments: { n: "5" } }));
    await agent.prompt("go");
    expect(ran).toEqual([{ n: 5 }]);
    expect(resultTexts(agent)).toEqual(["added"]);
  });

  it("because the answer was cut off is not made at all", async () => {
    ran.length = 0;
    const { agent } = await run({
      ...withTool({}),
      turns: [
        { toolCalls: [call("add", { n: 1 })], stopReason: "length" },
        { text: "shorter this time" },
      ],
    });
    await agent.prompt("go");
    expect(ran).toEqual([]);
    expect(resultTexts(agent)[0]).toContain("cut off");
  });

  it.each(["error", "aborted"] as const)(
    "because the answer ended with %s is not made at all",
    async (stopReason) => {
      ran.length = 0;
      const { agent } = await run({
        ...withTool({}),
        turns: [{ toolCalls: [call("add", { n: 1 })], stopReason }],
      });
      await agent.prompt("go");
      expect(ran).toEqual([]);
      expect(storedResults(agent)).toMatchObject([{ isError: true }]);
    },
  );
});

describe("a tool that does not keep to its contract", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;

  it.each([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
      "boom",
    ],
    ["rejects with nothing", () => Promise.reject(undefined), ""],
    ["returns nothing", async () => undefined, ""],
    ["returns a string", async () => "hello", ""],
    ["returns no content", async () => ({}), ""],
    ["returns content that is a string", async () => ({ content: "hello" }), ""],
    ["returns blocks that are none", async () => ({ content: [null, 5, { type: "text" }] }), ""],
    ["does not return a promise", () => text("at once"), "at once"],
  ])("%s: the turn goes on and every message can be sent", async (_, execute, expected) => {
    const { agent, requests } = await run({
      turns: [{ toolCalls: [call("odd")] }, { text: "done" }],
      extend: (pi) => addTool(pi, "odd", execute),
    });
    await agent.prompt("go");
    expect(agent.lastError).toBeUndefined();
    expect(requests).toHaveLength(2);
    expect(resultTexts(agent)).toEqual([expect.stringContaining(expected)]);
    const [result] = storedResults(agent);
    expect(result?.content.every(({ type }) => type === "text")).toBe(true);
    for (const block of result?.content ?? []) expect(block).toHaveProperty("text");
  });

  it("returns details that no file can hold: they are left out", async () => {
    const { agent } = await run({
      turns: [{ toolCalls: [call("odd")] }, { text: "done" }],
      extend: (pi) => addTool(pi, "odd", async () => text("fine", { details: circle })),
    });
    await agent.prompt("go");
    expect(resultTexts(agent)).toEqual(["fine"]);
    expect(() => JSON.stringify(agent.session.getEntries())).not.toThrow();
  });
});
