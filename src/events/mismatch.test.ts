import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { mismatch, payloadMismatch } from "./index.ts";

const call = {
  type: "tool_call",
  toolName: "bash",
  toolCallId: "call-1",
  input: { command: "ls" },
};

describe("payloadMismatch", () => {
  it("is undefined for a payload as declared", () => {
    expect(payloadMismatch("tool_call", call)).toBeUndefined();
  });

  it("accepts unknown fields, ids and the agent's own payload", () => {
    const event = { ...call, sessionId: "s", turnId: "t", native: { any: 1 }, future: true };
    expect(payloadMismatch("tool_call", event)).toBeUndefined();
  });

  it.each([
    ["toolName", 5],
    ["toolCallId", null],
    ["input", "ls"],
    ["input", []],
  ])("says that %s is wrong when it is %j", (field, value) => {
    expect(payloadMismatch("tool_call", { ...call, [field]: value })).toMatch(
      new RegExp(`^${field} `),
    );
  });

  it("says which field is missing", () => {
    const { toolCallId: _, ...rest } = call;
    expect(payloadMismatch("tool_call", rest)).toContain("toolCallId");
  });

  it("says where inside a field something is wrong", () => {
    const event = { ...call, type: "tool_result", isError: false, content: [{ type: "text" }] };
    expect(payloadMismatch("tool_result", event)).toMatch(/^content\.0/);
  });

  it.each([undefined, null, "tool_call", 5, []])("%j is no payload", (event) => {
    expect(payloadMismatch("tool_call", event)).toBeTypeOf("string");
  });
});

describe("mismatch", () => {
  it("judges the same schema the same way every time", () => {
    const schema = Type.Object({ n: Type.Integer() });
    for (let i = 0; i < 3; i++) {
      expect(mismatch(schema, { n: 1 })).toBeUndefined();
      expect(mismatch(schema, { n: 1.5 })).toMatch(/^n /);
    }
  });

  it("separates the steps of a path by dots", () => {
    const schema = Type.Object({ a: Type.Object({ b: Type.Array(Type.String()) }) });
    expect(mismatch(schema, { a: { b: ["x", 5] } })).toMatch(/^a\.b\.1 /);
  });
});
