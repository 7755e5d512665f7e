import { describe, expect, it } from "vitest";
import { addTool, type HostedOptions, hosted, testProject, text } from "../test-kit/index.ts";
import { jsonLine } from "./json-event.ts";
import { JsonMode } from "./json-mode.ts";

const project = testProject();

async function print(options: HostedOptions) {
  const written: string[] = [];
  const mode = new JsonMode((line) => written.push(line));
  const { agent } = await hosted({ cwd: project.root, onEvent: mode.take, ...options });
  const ok = await mode.run(agent, [{ text: "go" }]);
  await agent.dispose();
  expect(written.filter((line) => !/^[^\n]+\n$/.test(line))).toEqual([]);
  const lines: Record<string, unknown>[] = written.map((line) => JSON.parse(line));
  return { agent, ok, lines, types: lines.map(({ type }) => type) };
}

describe("json mode", () => {
  it("writes the header of the session, then every event, a line each", async () => {
    const { agent, ok, lines, types } = await print({
      turns: [{ text: "abcd", chunkSize: 2, toolCalls: [{ name: "ls" }] }, { text: "done" }],
    });
    expect(lines[0]).toMatchObject({ type: "session", id: agent.session.getSessionId() });
    expect(types.slice(1, 6)).toEqual([
      "session_start",
      "resources_discover",
      "input",
      "before_agent_start",
      "agent_start",
    ]);
    expect(types.slice(-2)).toEqual(["agent_settled", "session_shutdown"]);
    for (const type of ["tool_call", "tool_result", "message_end", "after_tool_call_persist"]) {
      expect(types).toContain(type);
    }
    expect(ok).toBe(true);
  });

  it("leaves out of each piece of an answer what grows with it", async () => {
    const { lines } = await print({ turns: [{ text: "abcd", chunkSize: 2 }] });
    const updates = lines.filter(({ type }) => type === "message_update");
    const steps = updates.map((update) => update.assistantMessageEvent as Record<string, unknown>);
    expect(updates.filter((update) => "message" in update)).toEqual([]);
    expect(steps.filter((step) => "partial" in step)).toEqual([]);
    expect(steps.flatMap(({ delta }) => delta ?? [])).toEqual(["ab", "cd"]);
    const [end] = lines.filter(({ type }) => type === "message_end").slice(-1);
    expect(end).toMatchObject({ message: { content: [{ text: "abcd" }] } });
  });

  it("fails when the answer does", async () => {
    const { ok, types } = await print({ turns: [{ error: { message: "no", status: 400 } }] });
    expect(ok).toBe(false);
    expect(types.at(-2)).toBe("agent_settled");
  });

  it("fails when there is nothing in it", async () => {
    const { ok } = await print({ turns: [{ thinking: "hmm" }] });
    expect(ok).toBe(false);
  });

  it("goes on whatever a tool puts into its details", async () => {
    const circle: Record<string, unknown> = {
      big: 5n,
      set: new Set([1]),
      map: new Map([["a", 1]]),
    };
    circle.self = circle;
    const hostile = {
      get secret() {
        throw new Error("do not look");
      },
    };
    const { lines, types } = await print({
      turns: [{ toolCalls: [{ name: "odd" }] }, { text: "done" }],
      extend: (pi) =>
        addTool(pi, "odd", async (_id, _params, _signal, onUpdate) => {
          onUpdate?.(text("a", { details: circle }));
          onUpdate?.(text("b", { details: hostile }));
          return text("c");
        }),
    });
    const updates = lines.filter(({ type }) => type === "tool_execution_update");
    expect(updates).toHaveLength(2);
    expect(updates[0]).toMatchObject({
      partialResult: { details: { big: "5", set: [1], map: { a: 1 }, self: "[circular]" } },
    });
    expect(types.at(-2)).toBe("agent_settled");
  });
});

describe("a line of JSON", () => {
  it("shows what is used twice twice; only a circle is cut", () => {
    const shared = { n: 1 };
    const value: Record<string, unknown> = { a: shared, b: [shared] };
    value.self = value;
    expect(JSON.parse(jsonLine(value))).toEqual({
      a: { n: 1 },
      b: [{ n: 1 }],
      self: "[circular]",
    });
  });
});
