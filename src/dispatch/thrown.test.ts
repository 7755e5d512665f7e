import { describe, expect, it } from "vitest";
import {
  deferred,
  extension,
  idle,
  setUp,
  sleep,
  THEN,
  thenable,
  toolCall,
  turnStart,
} from "./test-kit.ts";

const bad = () => {
  throw new Error("do not look");
};
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** What extensions throw, and worse. */
const THROWN: [string, () => unknown][] = [
  ["an error", () => new Error("boom")],
  ["an error without a message", () => new Error("")],
  ["a string", () => "boom"],
  ["undefined", () => undefined],
  ["null", () => null],
  ["a number", () => 0],
  ["a symbol", () => Symbol("boom")],
  ["a bigint", () => 1n],
  ["a function", () => bad],
  [
    "an object with a getter that throws",
    () => Object.defineProperty({}, "message", { get: bad, enumerable: true }),
  ],
  ["an object whose toString and toJSON throw", () => ({ toString: bad, toJSON: bad })],
  [
    "an object whose tag cannot be read",
    () => Object.defineProperty({ toJSON: bad }, Symbol.toStringTag, { get: bad }),
  ],
  [
    "an error whose message cannot be read",
    () => Object.defineProperty(new Error(), "message", { get: bad }),
  ],
  [
    "an error whose message is not a string",
    () => Object.assign(new Error(), { message: { toString: bad } }),
  ],
  ["a proxy that throws", () => new Proxy({}, { get: bad, getPrototypeOf: bad, ownKeys: bad })],
  ["a revoked proxy", revoked],
  [
    "an object that contains itself",
    () => {
      const loop: Record<string, unknown> = {};
      loop.self = loop;
      return loop;
    },
  ],
];

describe.each(THROWN)("a handler that throws %s", (_, make) => {
  it.each([
    [
      "sync",
      () => {
        throw make();
      },
    ],
    [
      "async",
      async () => {
        throw make();
      },
    ],
  ])("closes the gate and is reported once (%s)", async (_kind, run) => {
    const { dispatcher, codes } = setUp();
    dispatcher.on(extension("guard"), "tool_call", run);
    const controller = new AbortController();
    const pending = new Promise((resolve) => {
      resolve(dispatcher.emit(toolCall(), { signal: controller.signal }));
    });
    const decision = await Promise.race([pending, sleep(60_000)]);
    controller.abort();
    expect(decision).toMatchObject({ blocked: true, failed: true, by: "guard" });
    expect(codes()).toEqual(["SEAM_HANDLER_THREW"]);
  });

  it("does not keep the next observer from running", () => {
    const { dispatcher, codes } = setUp();
    const seen: string[] = [];
    dispatcher.on(extension("broken"), "turn_start", () => {
      throw make();
    });
    dispatcher.on(extension("fine"), "turn_start", () => seen.push("fine"));
    dispatcher.emit(turnStart());
    expect(seen).toEqual(["fine"]);
    expect(codes()).toEqual(["SEAM_HANDLER_THREW"]);
  });
});

it("the cause of a problem is what was thrown", async () => {
  const { dispatcher, problems } = setUp();
  const boom = new Error("boom");
  dispatcher.on(extension("broken"), "turn_start", () => {
    throw boom;
  });
  dispatcher.emit(turnStart());
  expect(problems[0]?.error.cause).toBe(boom);
  expect(problems[0]?.error.message).toMatch(/broken\.ts.*turn_start.*boom/);
});

describe("thenables", () => {
  it("are waited for like promises", async () => {
    const { dispatcher } = setUp();
    const { promise, resolve } = deferred<unknown>();
    dispatcher.on(extension("guard"), "tool_call", () =>
      thenable((done) => void promise.then(done)),
    );
    const decision = dispatcher.emit(toolCall());
    resolve({ block: true });
    expect(await decision).toMatchObject({ blocked: true, by: "guard" });
  });

  it("count once, however often they call back", async () => {
    const { dispatcher, problems } = setUp();
    const seen: string[] = [];
    const guard = () =>
      thenable((resolve, reject) => {
        resolve({ additionalContext: "first" });
        resolve({ block: true });
        reject(new Error("third"));
        throw new Error("fourth");
      });
    dispatcher.on(extension("guard"), "tool_call", guard);
    dispatcher.on(extension("later"), "tool_call", () => void seen.push("later"));
    const decision = await dispatcher.emit(toolCall());
    await idle();
    expect(decision).toMatchObject({ blocked: false, result: { additionalContext: "first" } });
    expect(seen).toEqual(["later"]);
    expect(problems).toEqual([]);
    expect(dispatcher.report()[0]).toMatchObject({ calls: 1, errors: 0, timed: 1 });
  });

  it("fail when `then` throws", async () => {
    const { dispatcher, codes } = setUp();
    const guard = () => thenable(bad);
    dispatcher.on(extension("guard"), "tool_call", guard);
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: true, failed: true });
    expect(codes()).toEqual(["SEAM_HANDLER_THREW"]);
  });

  it("fail when `then` cannot be read", async () => {
    const { dispatcher, codes } = setUp();
    dispatcher.on(extension("guard"), "tool_call", () =>
      Object.defineProperty({}, THEN, { get: bad }),
    );
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: true, failed: true });
    expect(codes()).toEqual(["SEAM_HANDLER_THREW"]);
  });

  it("that never call back are passed after the deadline", async () => {
    const { dispatcher, codes } = setUp();
    dispatcher.on(extension("guard"), "tool_call", () => thenable(() => {}), { deadlineMs: 20 });
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: true, failed: true });
    expect(codes()).toEqual(["SEAM_HANDLER_TIMEOUT"]);
  });

  it("that bring another promise are waited for to the end", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("guard"), "tool_call", () =>
      thenable((resolve) => resolve(Promise.resolve({ block: true }))),
    );
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: true, by: "guard" });
  });

  it("a `then` that is not a function is just a field", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("guard"), "tool_call", () => ({ block: true, [THEN]: "later" }));
    expect(dispatcher.emit(toolCall())).toMatchObject({ blocked: true });
  });
});
