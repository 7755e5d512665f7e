import { describe, expect, it } from "vitest";
import { decideToolCall } from "./index.ts";
import { deferred, extension, setUp, toolCall, turnStart } from "./test-kit.ts";

const GUARD = extension("guard");

describe("a dispatcher whose extensions are gone", () => {
  it("lets no tool call through, also one that nobody ever looked at", async () => {
    const { dispatcher } = setUp();
    dispatcher.close();
    const decision = await decideToolCall(dispatcher, toolCall());
    expect(decision).toMatchObject({ blocked: true, failed: true, aborted: false });
    expect(decision.reason).toContain("not loaded");
  });

  it("does not let through what was asked before, and is answered only now", async () => {
    const { dispatcher } = setUp();
    const late = extension("late");
    const answer = deferred();
    dispatcher.on(late, "tool_call", () => answer.promise);
    dispatcher.on(GUARD, "tool_call", () => ({ block: true }));
    const decided = decideToolCall(dispatcher, toolCall());
    dispatcher.close();
    dispatcher.removeOwner(GUARD);
    dispatcher.removeOwner(late);
    answer.resolve();
    expect(await decided).toMatchObject({ blocked: true, failed: true });
  });

  it("is not in the way of anything else", () => {
    const { dispatcher } = setUp();
    dispatcher.close();
    expect(dispatcher.emit(turnStart())).toBeUndefined();
    expect(dispatcher.emit({ type: "session_before_switch", reason: "new" })).toMatchObject({
      blocked: false,
    });
  });
});
