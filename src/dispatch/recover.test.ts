import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { running } from "./index.ts";
import { deferred, extension, idle, setUp, toolCall, turnStart } from "./test-kit.ts";

/** Takes the thread away from something that never returns, with everything on the stack. */
function cutOff(run: () => void): void {
  const call = new Script("cutOff()");
  Object.assign(globalThis, { cutOff: run });
  const cut = () => call.runInThisContext({ timeout: 30 });
  expect(cut).toThrow(expect.objectContaining({ code: "ERR_SCRIPT_EXECUTION_TIMEOUT" }));
}

const loop = () => {
  while (true);
};
const BAD = extension("bad");
const [A, B] = [extension("a"), extension("b")];

/** An observer that never returns, in the middle of others. */
function stuck() {
  const { dispatcher } = setUp();
  const heard: string[] = [];
  const note = (who: string) => (event: { type: string }) =>
    void heard.push(`${who} ${event.type}`);
  for (const owner of [A, BAD, B]) dispatcher.addOwner(owner);
  dispatcher.on(A, "turn_start", note("a"));
  dispatcher.on(B, "turn_start", note("b"));
  const recover = async () => {
    dispatcher.removeOwner(BAD);
    dispatcher.recover();
    await idle();
    await idle();
  };
  return { dispatcher, heard, note, recover };
}

describe("after the thread was taken from an observer", () => {
  it("those after it hear of the event, and everybody of the next", async () => {
    const { dispatcher, heard, recover } = stuck();
    dispatcher.on(BAD, "turn_start", loop);
    cutOff(() => dispatcher.emit(turnStart()));
    expect(heard).toEqual(["a turn_start"]);
    expect(running[0]).not.toBe(0);
    // Comes in between, and waits for its turn.
    dispatcher.emit(turnStart(1));
    expect(heard).toHaveLength(1);
    await recover();
    expect(running[0]).toBe(0);
    expect(heard).toEqual(["a turn_start", "b turn_start", "a turn_start", "b turn_start"]);
    dispatcher.emit(turnStart(2));
    expect(heard).toHaveLength(6);
  });

  it("one that led to it goes on with its next event", async () => {
    const { dispatcher, heard, note, recover } = stuck();
    dispatcher.on(A, "agent_start", () => void dispatcher.emit(toolCall()));
    dispatcher.on(A, "agent_end", note("a"));
    dispatcher.on(BAD, "tool_call", loop);
    cutOff(() => dispatcher.emit({ type: "agent_start" }));
    await recover();
    dispatcher.emit({ type: "agent_end", messages: [] });
    expect(heard).toEqual(["a agent_end"]);
    await dispatcher.settled();
  });

  it("one that waits is still waited for, and heard once", async () => {
    const { dispatcher, heard, note, recover } = stuck();
    const { promise, resolve } = deferred();
    dispatcher.on(A, "agent_start", () => promise);
    dispatcher.on(A, "agent_end", note("a"));
    dispatcher.on(BAD, "turn_start", loop);
    dispatcher.emit({ type: "agent_start" });
    dispatcher.emit({ type: "agent_end", messages: [] });
    dispatcher.emit({ type: "agent_end", messages: [] });
    expect(dispatcher.waiting(A.path)).toEqual(["agent_start"]);
    cutOff(() => dispatcher.emit(turnStart()));
    await recover();
    expect(heard.filter((one) => one === "a agent_end")).toEqual([]);
    resolve();
    await dispatcher.settled();
    expect(heard.filter((one) => one === "a agent_end")).toHaveLength(2);
    expect(dispatcher.waiting(A.path)).toEqual([]);
  });

  it("a decision that is waited for comes, once", async () => {
    const { dispatcher, recover } = stuck();
    const { promise, resolve } = deferred<{ block: boolean }>();
    dispatcher.on(A, "tool_call", () => promise);
    dispatcher.on(BAD, "turn_start", loop);
    const deciding = dispatcher.emit(toolCall());
    cutOff(() => dispatcher.emit(turnStart()));
    await recover();
    resolve({ block: true });
    expect(await deciding).toMatchObject({ blocked: true, by: "a" });
  });
});
