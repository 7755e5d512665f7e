import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { payloadMismatch } from "../../events/index.ts";
import { eventsFor } from "./events-for.ts";
import { anyHook, anyTold } from "./test-kit/arbitrary.ts";
import { HOOKED, HOOKS } from "./test-kit/payloads.ts";

const RUNS = runs(150);

describe.each(HOOKED)("%s", (agent) => {
  const { mapping, read, answer, nativeInput } = HOOKS[agent];

  it("reads anything without failing, and only to events that are as declared", () => {
    fc.assert(
      fc.property(anyHook(agent), ({ hook, payload }) => {
        const row = Object.hasOwn(mapping, hook) ? mapping[hook] : undefined;
        row?.skip?.(payload);
        const reading = read(hook, payload);
        if (!row || !reading) return;
        for (const event of eventsFor(row, reading, { agent, hook, payload })) {
          expect([event.type, payloadMismatch(event.type, event)]).toEqual([event.type, undefined]);
        }
      }),
      RUNS,
    );
  });

  it("answers anything without failing: nothing, or one JSON object", () => {
    fc.assert(
      fc.property(anyHook(agent), anyTold, ({ hook, payload }, told) => {
        const { stdout, exitCode, stderr } = answer(hook, told, payload);
        if (stdout !== "") expect(JSON.parse(stdout)).toBeTypeOf("object");
        if (exitCode !== 0) expect([stdout, stderr]).toEqual(["", expect.stringMatching(/./)]);
        else expect(stderr).toBeUndefined();
      }),
      RUNS,
    );
  });

  it("takes back any input it read", () => {
    fc.assert(
      fc.property(anyHook(agent), ({ hook, payload }) => {
        for (const tool of read(hook, payload)?.tools ?? []) {
          expect(nativeInput(tool, structuredClone(tool.input))).toEqual(tool.nativeInput);
        }
      }),
      RUNS,
    );
  });

  it("says nothing where it has no power", () => {
    fc.assert(
      fc.property(anyHook(agent), anyTold, ({ hook, payload }, told) => {
        if ((mapping[hook]?.powers ?? []).length > 0) return;
        expect(answer(hook, told, payload)).toEqual({ stdout: "", exitCode: 0 });
      }),
      RUNS,
    );
  });

  it("reads what is nested deeper than anyone would nest it", () => {
    let deep: unknown = "x";
    for (let n = 0; n < 20_000; n++) deep = { deep };
    for (const hook of Object.keys(mapping)) {
      const payload = { session_id: "s", sessionId: "s", tool_name: "Bash", toolName: "bash" };
      const nested = { ...payload, tool_input: deep, toolArgs: deep, tool_response: deep };
      expect(() => read(hook, nested)).not.toThrow();
      expect(() => answer(hook, { result: { content: [], isError: false } }, nested)).not.toThrow();
    }
  });
});
