import { describe, expect, it } from "vitest";
import {
  beforeFork,
  contextOf,
  discover,
  extension,
  setUp,
  toolCall,
  userBash,
} from "./test-kit.ts";

const bad = () => {
  throw new Error("do not look");
};

function nested(depth: number): unknown {
  let value: unknown = "bottom";
  for (let i = 0; i < depth; i++) value = { value };
  return value;
}

function loop(): unknown {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

/** Results that no event of the tests below can use. `extra` is where unknown fields go. */
const NONSENSE: [string, () => unknown][] = [
  ["a string", () => "yes"],
  ["a number", () => 1],
  ["true", () => true],
  ["a list", () => []],
  ["a function", () => () => ({ block: true })],
  ["a symbol", () => Symbol("block")],
  ["a bigint", () => 1n],
  ["a bigint deep inside", () => ({ extra: [{ size: 1n }] })],
  ["something that contains itself", () => ({ extra: loop() })],
  ["something nested far too deep", () => ({ extra: nested(100_000) })],
  [
    "a getter that throws",
    () => Object.defineProperty({}, "extra", { get: bad, enumerable: true }),
  ],
  ["a proxy that throws", () => new Proxy({}, { get: bad, has: bad, ownKeys: bad })],
  ["a proxy that lists no fields", () => new Proxy({}, { ownKeys: bad })],
];

describe.each(NONSENSE)("%s", (_, make) => {
  const HOW: [string, () => unknown][] = [
    ["returned", make],
    ["resolved", async () => make()],
  ];

  it.each(HOW)("blocks a tool call, naming the extension (%s)", async (_how, run) => {
    const { dispatcher, problems } = setUp();
    dispatcher.on(extension("odd"), "tool_call", run);
    const decision = await dispatcher.emit(toolCall());
    expect(decision).toMatchObject({ blocked: true, failed: true, by: "odd" });
    expect(decision.reason).toContain("odd");
    expect(problems).toHaveLength(1);
  });

  it.each(HOW)("is reported and leaves every other kind as it was (%s)", async (_how, run) => {
    const { dispatcher, problems } = setUp();
    const odd = extension("odd");
    const events = [beforeFork(), contextOf("a"), userBash(), discover()] as const;
    for (const { type } of events) dispatcher.on(odd, type, run);
    const [gate, transform, claim, collect] = [
      await dispatcher.emit(events[0]),
      await dispatcher.emit(events[1]),
      await dispatcher.emit(events[2]),
      await dispatcher.emit(events[3]),
    ];
    expect(gate).toMatchObject({ blocked: false });
    expect(gate.result).toBeUndefined();
    expect(transform).toMatchObject({ event: contextOf("a"), changedBy: [] });
    expect(claim).toEqual({ aborted: false });
    expect(collect.results).toEqual([]);
    expect(problems.map(({ event }) => event)).toEqual(events.map(({ type }) => type));
  });
});

it.each([
  [{ block: "yes" }, "block"],
  [{ block: true, reason: 5 }, "reason"],
  [{ input: "rm" }, "input"],
  [{ additionalContext: {} }, "additionalContext"],
])("%j says which field is wrong", async (returned, field) => {
  const { dispatcher, problems } = setUp();
  dispatcher.on(extension("odd"), "tool_call", () => returned);
  expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: true, failed: true });
  expect(problems[0]?.error.code).toBe("SEAM_HANDLER_RESULT");
  expect(problems[0]?.error.message).toMatch(new RegExp(`: ${field} `));
});

it("nesting within reason is fine", async () => {
  const { dispatcher, problems } = setUp();
  dispatcher.on(extension("deep"), "before_provider_request", () => nested(100));
  const event = { type: "before_provider_request", payload: {} } as const;
  expect((await dispatcher.emit(event)).event.payload).toEqual(nested(100));
  expect(problems).toEqual([]);
});

it("one object in two places is not something that contains itself", async () => {
  const { dispatcher, problems } = setUp();
  const shared = { a: 1 };
  dispatcher.on(extension("fine"), "before_provider_request", () => ({ x: shared, y: [shared] }));
  const event = { type: "before_provider_request", payload: {} } as const;
  expect((await dispatcher.emit(event)).event.payload).toEqual({ x: shared, y: [shared] });
  expect(problems).toEqual([]);
});

describe("results that are not plain objects", () => {
  class Verdict {
    readonly block = true;
    readonly reason = "said by an instance";
  }
  class Live {
    get block() {
      return true;
    }
  }

  it.each([
    ["an instance of a class", () => new Verdict()],
    ["an instance with a getter", () => new Live()],
    ["an object with a prototype of its own", () => Object.create({ block: true })],
    ["an object without a prototype", () => Object.assign(Object.create(null), { block: true })],
    ["a frozen object", () => Object.freeze({ block: true })],
  ])("a block is never lost: %s", async (_, make) => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("guard"), "tool_call", make);
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: true, by: "guard" });
  });

  it.each([
    ["a map", new Map()],
    ["a date", new Date(0)],
    ["an error", new Error("x")],
    ["a class", Map],
    ["a pattern", /x/],
  ])("%s does not let a tool call through unnoticed", async (_, returned) => {
    const { dispatcher, codes } = setUp();
    dispatcher.on(extension("guard"), "tool_call", () => returned);
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: true, failed: true });
    expect(codes()).toEqual(["SEAM_HANDLER_RESULT"]);
  });
});

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a result that throws from its %ith look on still blocks",
  async (patience) => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("guard"), "tool_call", () => {
      let looks = 0;
      return {
        get block() {
          if (++looks >= patience) throw new Error("enough");
          return true;
        },
      };
    });
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: true, by: "guard" });
  },
);

describe("huge reasons are cut", () => {
  const huge = "x".repeat(1_000_000);

  it.each([
    ["said", () => ({ block: true, reason: huge })],
    [
      "thrown",
      () => {
        throw new Error(huge);
      },
    ],
    [
      "thrown as an object",
      () => {
        throw { huge };
      },
    ],
  ])("%s", async (_, run) => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("chatty"), "tool_call", run);
    const { blocked, reason = "" } = await dispatcher.emit(toolCall());
    expect(blocked).toBe(true);
    expect(reason).toContain("xxx");
    expect(reason.length).toBeLessThan(10_000);
  });

  it("a reason of ordinary length is told in full", async () => {
    const { dispatcher } = setUp();
    const reason = "because ".repeat(100);
    dispatcher.on(extension("guard"), "tool_call", () => ({ block: true, reason }));
    expect((await dispatcher.emit(toolCall())).reason).toBe(reason);
  });
});
