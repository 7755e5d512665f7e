import { describe, expect, it } from "vitest";
import type { EventMap } from "../events/index.ts";
import {
  DECIDED,
  deferred,
  extension,
  idle,
  never,
  setUp,
  sleep,
  toolCall,
  turnStart,
} from "./test-kit.ts";

type Turn = EventMap["turn_start"];

it("a slow observer does not hold the emitter", async () => {
  const { dispatcher } = setUp();
  const { promise, resolve } = deferred();
  const seen: number[] = [];
  dispatcher.on(extension("slow"), "turn_start", async ({ turnIndex }: Turn) => {
    await promise;
    seen.push(turnIndex);
  });
  for (let i = 0; i < 5; i++) expect(dispatcher.emit(turnStart(i))).toBeUndefined();
  expect(seen).toEqual([]);
  resolve();
  await dispatcher.settled();
  expect(seen).toEqual([0, 1, 2, 3, 4]);
});

it("events are delivered one at a time, in order, across events and handlers of an extension", async () => {
  const { dispatcher } = setUp();
  const busy = extension("busy");
  const seen: string[] = [];
  let running = 0;
  for (const name of ["turn_start", "agent_settled"] as const) {
    for (const nth of [1, 2]) {
      dispatcher.on(busy, name, async () => {
        expect(++running).toBe(1);
        await idle();
        seen.push(`${name} ${nth}`);
        running--;
      });
    }
  }
  dispatcher.emit(turnStart());
  dispatcher.emit({ type: "agent_settled", aborted: false });
  await dispatcher.settled();
  expect(seen).toEqual(["turn_start 1", "turn_start 2", "agent_settled 1", "agent_settled 2"]);
});

it("thousands of waiting events arrive, all of them and in order", async () => {
  const { dispatcher } = setUp();
  const slow = extension("slow");
  const { promise, resolve } = deferred();
  const seen: number[] = [];
  dispatcher.on(slow, "turn_start", ({ turnIndex }: Turn) => {
    seen.push(turnIndex);
    return turnIndex % 500 === 0 ? promise : undefined;
  });
  const sent = Array.from({ length: 5000 }, (_, i) => i);
  for (const i of sent) dispatcher.emit(turnStart(i));
  expect(seen).toEqual([0]);
  resolve();
  await dispatcher.settled();
  expect(seen).toEqual(sent);
  expect(dispatcher.lost(slow)).toBe(0);
});

it("two extensions do not delay each other", () => {
  const { dispatcher } = setUp();
  const seen: number[] = [];
  dispatcher.on(extension("stuck"), "turn_start", never);
  dispatcher.on(extension("quick"), "turn_start", ({ turnIndex }: Turn) => {
    seen.push(turnIndex);
  });
  for (let i = 0; i < 3; i++) dispatcher.emit(turnStart(i));
  expect(seen).toEqual([0, 1, 2]);
});

it("an observer that never returns is passed after its deadline", async () => {
  const { dispatcher, codes } = setUp();
  const seen: number[] = [];
  const stuckOnce = ({ turnIndex }: Turn) => {
    seen.push(turnIndex);
    return turnIndex === 0 ? never() : undefined;
  };
  dispatcher.on(extension("stuck"), "turn_start", stuckOnce, { deadlineMs: 20 });
  for (let i = 0; i < 3; i++) dispatcher.emit(turnStart(i));
  expect(seen).toEqual([0]);
  await dispatcher.settled();
  expect(seen).toEqual([0, 1, 2]);
  expect(codes()).toEqual(["SEAM_HANDLER_TIMEOUT"]);
});

describe("the limit", () => {
  /** An extension that is stuck with one event while `count` more arrive. */
  function flood(count: number, queueLimit: number) {
    const { dispatcher, problems } = setUp({ queueLimit });
    const slow = extension("slow");
    const { promise, resolve } = deferred();
    const seen: number[] = [];
    dispatcher.on(slow, "turn_start", ({ turnIndex }: Turn) => {
      seen.push(turnIndex);
      return turnIndex === 0 ? promise : undefined;
    });
    for (let i = 0; i <= count; i++) dispatcher.emit(turnStart(i));
    return { dispatcher, problems, slow, seen, resolve };
  }

  it("up to it nothing is lost", async () => {
    const { dispatcher, problems, slow, seen, resolve } = flood(3, 3);
    resolve();
    await dispatcher.settled();
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(dispatcher.lost(slow)).toBe(0);
    expect(problems).toEqual([]);
  });

  it("beyond it the newest are dropped, counted and reported", async () => {
    const { dispatcher, problems, slow, seen, resolve } = flood(5, 3);
    resolve();
    await dispatcher.settled();
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(dispatcher.lost(slow)).toBe(2);
    expect(problems).toMatchObject([
      { error: { code: "SEAM_QUEUE_FULL", details: { lost: 1 } }, owner: slow },
    ]);
  });

  it("a flood of losses is not a flood of reports", () => {
    const { dispatcher, problems, slow } = flood(1201, 1);
    expect(dispatcher.lost(slow)).toBe(1200);
    expect(problems.map(({ error }) => error.details.lost)).toEqual([1, 10, 100, 1000]);
  });

  it("there is room again once the extension has caught up", async () => {
    const { dispatcher, slow, seen, resolve } = flood(5, 3);
    resolve();
    await dispatcher.settled();
    dispatcher.emit(turnStart(9));
    expect(seen.at(-1)).toBe(9);
    expect(dispatcher.lost(slow)).toBe(2);
  });

  it("only the slow extension loses events", () => {
    const { dispatcher } = setUp({ queueLimit: 1 });
    const [slow, quick] = [extension("slow"), extension("quick")];
    dispatcher.on(slow, "turn_start", never);
    dispatcher.on(quick, "turn_start", () => {});
    for (let i = 0; i < 5; i++) dispatcher.emit(turnStart(i));
    expect(dispatcher.lost(slow)).toBe(3);
    expect(dispatcher.lost(quick)).toBe(0);
  });
});

describe("what an extension observed comes before what it decides", () => {
  it.each(DECIDED)("$kind", async ({ event }) => {
    const { dispatcher } = setUp();
    const busy = extension("busy");
    const { promise, resolve } = deferred();
    const seen: string[] = [];
    dispatcher.on(busy, "turn_start", async ({ turnIndex }: Turn) => {
      await promise;
      seen.push(`observed ${turnIndex}`);
    });
    dispatcher.on(busy, event.type, () => void seen.push("decided"));
    dispatcher.emit(turnStart(0));
    dispatcher.emit(turnStart(1));
    const decision = dispatcher.emit(event);
    await idle();
    expect(seen).toEqual([]);
    resolve();
    await decision;
    expect(seen).toEqual(["observed 0", "observed 1", "decided"]);
  });

  it("an extension that has nothing left to observe is asked at once", () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("stuck"), "turn_start", never);
    dispatcher.on(extension("free"), "tool_call", () => ({ block: true }));
    dispatcher.emit(turnStart());
    expect(dispatcher.emit(toolCall())).toMatchObject({ blocked: true, by: "free" });
  });

  it("the wait is bounded by catchUpMs", async () => {
    const { dispatcher, problems } = setUp({ catchUpMs: 20 });
    const stuck = extension("stuck");
    dispatcher.on(stuck, "turn_start", never);
    dispatcher.on(stuck, "tool_call", () => ({ block: true, reason: "asked anyway" }));
    dispatcher.emit(turnStart());
    expect(await dispatcher.emit(toolCall())).toMatchObject({ reason: "asked anyway" });
    expect(problems).toEqual([]);
  });

  it("an observer that waits for a decision of its own extension gets it", async () => {
    const { dispatcher } = setUp({ catchUpMs: 20 });
    const busy = extension("busy");
    const decisions: unknown[] = [];
    dispatcher.on(busy, "turn_start", async () => {
      decisions.push(await dispatcher.emit(toolCall()));
    });
    dispatcher.on(busy, "tool_call", () => ({ block: true }));
    dispatcher.emit(turnStart());
    await dispatcher.settled();
    expect(decisions).toMatchObject([{ blocked: true, by: "busy" }]);
  });
});

describe("settled", () => {
  it("resolves when everybody has worked off what they observed", async () => {
    const { dispatcher } = setUp();
    const seen: string[] = [];
    for (const name of ["a", "b"]) {
      dispatcher.on(extension(name), "turn_start", async () => {
        await sleep(name === "a" ? 30 : 5);
        seen.push(name);
      });
    }
    dispatcher.emit(turnStart());
    await dispatcher.settled();
    expect(seen.sort()).toEqual(["a", "b"]);
  });

  it("resolves at once when nothing waits", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("quick"), "turn_start", () => {});
    dispatcher.emit(turnStart());
    await expect(dispatcher.settled()).resolves.toBeUndefined();
  });

  it("gives up after the limit it was given", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("stuck"), "turn_start", never);
    dispatcher.emit(turnStart());
    await expect(dispatcher.settled(20)).resolves.toBeUndefined();
  });
});
