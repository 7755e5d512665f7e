import { describe, expect, it } from "vitest";
import type { AskedCall } from "./index.ts";
import { decideToolCall } from "./index.ts";
import { extension, FAILURES, setUp, toolCall } from "./test-kit.ts";

const ask = (reason: string) => () => ({ ask: true, reason });

describe("a gate that asks", () => {
  it("is a block as long as nobody was asked", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("careful"), "tool_call", ask("Really?"));
    const decision = await decideToolCall(dispatcher, toolCall());
    expect(decision).toMatchObject({ blocked: true, reason: "Really?", by: "careful" });
    expect(decision.ask).toEqual({ reason: "Really?", by: "careful", unanswered: "block" });
  });

  it("says itself what happens if nobody can be asked", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("lax"), "tool_call", () => ({
      ask: true,
      reason: "Really?",
      unanswered: "allow",
    }));
    const asker = async () => undefined;
    const decision = await decideToolCall(dispatcher, toolCall(), { asker });
    expect(decision).toMatchObject({ blocked: false, ask: { unanswered: "allow" } });
    expect(decision.reason).toBeUndefined();
  });

  it("a block of a later handler wins, and nobody is asked", async () => {
    const { dispatcher } = setUp();
    const asked: AskedCall[] = [];
    dispatcher.on(extension("careful"), "tool_call", ask("Really?"));
    dispatcher.on(extension("strict"), "tool_call", () => ({ block: true, reason: "no" }));
    const asker = async (question: AskedCall) => asked.push(question) > 0;
    const decision = await decideToolCall(dispatcher, toolCall(), { asker });
    expect(decision).toMatchObject({ blocked: true, reason: "no", by: "strict" });
    expect(decision.ask).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("a block in the same answer wins", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("both"), "tool_call", () => ({ ask: true, block: true, reason: "no" }));
    const decision = await decideToolCall(dispatcher, toolCall(), { asker: async () => true });
    expect(decision).toMatchObject({ blocked: true, reason: "no" });
  });

  it.each(FAILURES)("a later handler that $how blocks", async ({ run: fails }) => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("careful"), "tool_call", ask("Really?"));
    dispatcher.on(extension("broken"), "tool_call", fails, { deadlineMs: 5 });
    const decision = await decideToolCall(dispatcher, toolCall(), { asker: async () => true });
    expect(decision).toMatchObject({ blocked: true, failed: true, by: "broken" });
  });

  it("two questions are put as one, and the stricter one says what silence means", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("a"), "tool_call", () => ({
      ask: true,
      reason: "A?",
      unanswered: "allow",
    }));
    dispatcher.on(extension("b"), "tool_admit", ask("B?"));
    const { ask: question, blocked } = await decideToolCall(dispatcher, toolCall());
    expect(question).toEqual({ reason: "A?\nB?", by: "a, b", unanswered: "block" });
    expect(blocked).toBe(true);
  });

  it("is asked about what will really run", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("careful"), "tool_call", ask("Really?"));
    dispatcher.on(extension("sandbox"), "tool_call", () => ({ input: { command: "bwrap ls" } }));
    const asked: AskedCall[] = [];
    const asker = async (question: AskedCall) => asked.push(question) > 0;
    const decision = await decideToolCall(dispatcher, toolCall(), { asker });
    expect(asked).toMatchObject([{ toolName: "bash", input: { command: "bwrap ls" } }]);
    expect(decision).toMatchObject({ blocked: false, input: { command: "bwrap ls" } });
    expect(decision.ask).toBeUndefined();
  });

  it("a no is a block that says so", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("careful"), "tool_admit", ask("It deletes things."));
    const decision = await decideToolCall(dispatcher, toolCall(), { asker: async () => false });
    const reason = "The user said no. It deletes things.";
    expect(decision).toMatchObject({ blocked: true, reason, by: "careful" });
  });

  it("has to say so with true", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("odd"), "tool_call", () => ({ ask: "yes" }));
    expect(await decideToolCall(dispatcher, toolCall())).toMatchObject({
      blocked: true,
      failed: true,
    });
  });
});
