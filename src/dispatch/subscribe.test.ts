import { describe, expect, it } from "vitest";
import { SeamError } from "../errors/index.ts";
import type { EventMap } from "../events/index.ts";
import {
  beforeFork,
  contextOf,
  deferred,
  extension,
  idle,
  said,
  setUp,
  toolCall,
  turnStart,
} from "./test-kit.ts";

function errorOf(act: () => unknown): SeamError {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof SeamError) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

it("an unknown event is refused with the name that was probably meant", () => {
  const { dispatcher } = setUp();
  const error = errorOf(() => dispatcher.on(extension("typo"), "tool_cal", () => {}));
  expect(error.code).toBe("SEAM_EVENT_UNKNOWN");
  expect(error.message).toContain("/extensions/typo.ts");
  expect(error.next).toContain('"tool_call"');
});

it.each([undefined, null, "handler", {}, 5])("%j is refused as a handler", (run) => {
  const { dispatcher } = setUp();
  const error = errorOf(() => dispatcher.on(extension("odd"), "tool_call", run));
  expect(error.code).toBe("SEAM_HANDLER_NOT_FUNCTION");
  expect(dispatcher.has("tool_call")).toBe(false);
});

it("has() says whether anyone listens", () => {
  const { dispatcher } = setUp();
  expect(dispatcher.has("tool_call")).toBe(false);
  const off = dispatcher.on(extension("a"), "tool_call", () => {});
  expect(dispatcher.has("tool_call")).toBe(true);
  expect(dispatcher.has("tool_result")).toBe(false);
  off();
  expect(dispatcher.has("tool_call")).toBe(false);
});

it("a subscription that was undone is not called any more, the others are", () => {
  const { dispatcher } = setUp();
  const owner = extension("a");
  const seen: string[] = [];
  const off = dispatcher.on(owner, "turn_start", () => seen.push("first"));
  dispatcher.on(owner, "turn_start", () => seen.push("second"));
  off();
  off();
  dispatcher.emit(turnStart());
  expect(seen).toEqual(["second"]);
});

it("a handler can undo its own subscription while it runs", () => {
  const { dispatcher } = setUp();
  const owner = extension("once");
  const seen: string[] = [];
  const off = dispatcher.on(owner, "turn_start", () => {
    seen.push("once");
    off();
  });
  dispatcher.on(owner, "turn_start", () => seen.push("always"));
  dispatcher.emit(turnStart());
  dispatcher.emit(turnStart());
  expect(seen).toEqual(["once", "always", "always"]);
});

describe("a handler added during a dispatch does not take part in it", () => {
  it("gate", async () => {
    const { dispatcher } = setUp();
    const seen: string[] = [];
    dispatcher.on(extension("first"), "tool_call", async () => {
      dispatcher.on(extension("new"), "tool_call", () => void seen.push("new"));
      await idle();
    });
    await dispatcher.emit(toolCall());
    expect(seen).toEqual([]);
    await dispatcher.emit(toolCall());
    expect(seen).toEqual(["new"]);
  });

  it("observe", () => {
    const { dispatcher } = setUp();
    const seen: string[] = [];
    dispatcher.on(extension("first"), "turn_start", () => {
      dispatcher.on(extension("new"), "turn_start", () => seen.push("new"));
    });
    dispatcher.emit(turnStart());
    expect(seen).toEqual([]);
  });
});

describe("an extension that was removed", () => {
  it("gets nothing any more, also not what it had still to observe", async () => {
    const { dispatcher } = setUp();
    const gone = extension("gone");
    const { promise, resolve } = deferred();
    const seen: number[] = [];
    dispatcher.on(gone, "turn_start", ({ turnIndex }: EventMap["turn_start"]) => {
      seen.push(turnIndex);
      return promise;
    });
    dispatcher.emit(turnStart(0));
    dispatcher.emit(turnStart(1));
    dispatcher.removeOwner(gone);
    dispatcher.emit(turnStart(2));
    resolve();
    await dispatcher.settled();
    await idle();
    expect(seen).toEqual([0]);
    expect(dispatcher.has("turn_start")).toBe(false);
    expect(dispatcher.report()).toEqual([]);
  });

  it("takes no part in a dispatch that is under way", async () => {
    const { dispatcher } = setUp();
    const gone = extension("gone");
    const seen: string[] = [];
    dispatcher.on(extension("first"), "tool_call", async () => {
      await idle();
      dispatcher.removeOwner(gone);
    });
    dispatcher.on(gone, "tool_call", () => void seen.push("gone"));
    dispatcher.on(extension("last"), "tool_call", () => void seen.push("last"));
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: false });
    expect(seen).toEqual(["last"]);
  });

  it("is not asked after all when it goes while a dispatch waits for it to catch up", async () => {
    const { dispatcher } = setUp();
    const gone = extension("gone");
    const { promise, resolve } = deferred();
    const seen: string[] = [];
    dispatcher.on(gone, "turn_start", () => promise);
    dispatcher.on(gone, "tool_call", () => void seen.push("gone"));
    dispatcher.emit(turnStart());
    const decision = dispatcher.emit(toolCall());
    dispatcher.removeOwner(gone);
    resolve();
    await decision;
    expect(seen).toEqual([]);
  });

  it("does not undo what the one before it returned", async () => {
    const { dispatcher } = setUp();
    const gone = extension("gone");
    dispatcher.on(extension("first"), "context", () => {
      dispatcher.removeOwner(gone);
      return { messages: [said("b")] };
    });
    dispatcher.on(gone, "context", () => {});
    const decision = await dispatcher.emit(contextOf("a"));
    expect(decision.event).toEqual(contextOf("b"));
    expect(decision.changedBy).toEqual(["first"]);
  });

  it("does not bring back what a failing handler before it left behind", async () => {
    const { dispatcher } = setUp();
    const gone = extension("gone");
    dispatcher.on(extension("broken"), "context", ({ messages }: EventMap["context"]) => {
      dispatcher.removeOwner(gone);
      messages.push(said("half done"));
      throw new Error("boom");
    });
    dispatcher.on(gone, "context", () => {});
    const decision = await dispatcher.emit(contextOf("a"));
    expect(decision.event).toEqual(contextOf("a"));
    expect(decision.changedBy).toEqual([]);
  });

  it("leaves the others where they were", async () => {
    const { dispatcher } = setUp();
    const [a, b, c] = [extension("a"), extension("b"), extension("c")];
    const seen: string[] = [];
    for (const owner of [a, b, c]) {
      dispatcher.on(owner, "session_before_fork", () => void seen.push(owner.name));
    }
    dispatcher.removeOwner(b);
    await dispatcher.emit(beforeFork());
    expect(seen).toEqual(["a", "c"]);
  });
});
