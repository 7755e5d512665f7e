import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HandlerOptions } from "./index.ts";
import { extension, setUp, toolCall, turnStart } from "./test-kit.ts";

interface Wish extends HandlerOptions {
  name: string;
}

/** Subscribes one extension per wish and emits once. */
async function run(...wishes: Wish[]) {
  const { dispatcher, problems } = setUp();
  const seen: string[] = [];
  const owners = new Map(wishes.map(({ name }) => [name, extension(name)]));
  for (const { name, ...options } of wishes) {
    const owner = owners.get(name);
    if (owner) dispatcher.on(owner, "tool_call", () => void seen.push(name), options);
  }
  await dispatcher.emit(toolCall());
  return { seen, problem: problems.at(-1) };
}

it("extensions run in the order they were added, however they subscribe", async () => {
  const { dispatcher } = setUp();
  const [a, b, c] = [extension("a"), extension("b"), extension("c")];
  for (const owner of [a, b, c]) dispatcher.addOwner(owner);
  const seen: string[] = [];
  for (const owner of [c, a, b, a]) {
    dispatcher.on(owner, "tool_call", () => void seen.push(owner.name));
  }
  await dispatcher.emit(toolCall());
  expect(seen).toEqual(["a", "a", "b", "c"]);
});

it("inside an extension handlers run in the order of registration", async () => {
  const { dispatcher } = setUp();
  const owner = extension("a");
  const seen: number[] = [];
  for (const n of [1, 2, 3]) dispatcher.on(owner, "tool_call", () => void seen.push(n));
  await dispatcher.emit(toolCall());
  expect(seen).toEqual([1, 2, 3]);
});

it("an extension that was never added comes last", async () => {
  const { dispatcher } = setUp();
  const seen: string[] = [];
  const known = extension("known");
  dispatcher.addOwner(known);
  dispatcher.on(extension("late"), "tool_call", () => void seen.push("late"));
  dispatcher.on(known, "tool_call", () => void seen.push("known"));
  await dispatcher.emit(toolCall());
  expect(seen).toEqual(["known", "late"]);
});

describe("before and after", () => {
  it("`after` moves a handler behind the extension it names", async () => {
    const { seen } = await run({ name: "a", after: "c" }, { name: "b" }, { name: "c" });
    expect(seen).toEqual(["b", "c", "a"]);
  });

  it("`before` puts a handler ahead of the extension it names", async () => {
    const { seen } = await run({ name: "a" }, { name: "b", before: "a" });
    expect(seen).toEqual(["b", "a"]);
  });

  it("lists of names count one by one", async () => {
    const { seen } = await run(
      { name: "a", after: ["b", "c"] },
      { name: "b" },
      { name: "c" },
      { name: "d", before: ["a", "b"] },
    );
    expect(seen.indexOf("a")).toBeGreaterThan(seen.indexOf("c"));
    expect(seen.indexOf("a")).toBeGreaterThan(seen.indexOf("b"));
    expect(seen.indexOf("d")).toBeLessThan(seen.indexOf("b"));
  });

  it("names of extensions that are not there, or of the handler's own, change nothing", async () => {
    const { seen, problem } = await run(
      { name: "a", after: "nobody" },
      { name: "b", before: ["b", "ghost"] },
    );
    expect(seen).toEqual(["a", "b"]);
    expect(problem).toBeUndefined();
  });

  it("they hold for observers too", () => {
    const { dispatcher } = setUp();
    const seen: string[] = [];
    dispatcher.on(extension("a"), "turn_start", () => void seen.push("a"), { after: "b" });
    dispatcher.on(extension("b"), "turn_start", () => void seen.push("b"));
    dispatcher.emit(turnStart());
    expect(seen).toEqual(["b", "a"]);
  });

  it("whatever the wishes, everyone runs once, and wishes that fit together are granted", async () => {
    const NAMES = ["a", "b", "c", "d", "e"];
    const wish = fc.record({
      before: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
      after: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 5 }), async (wishes) => {
        const named = wishes.map((options, i) => ({ name: NAMES[i] ?? "", ...options }));
        const { seen, problem } = await run(...named);
        expect([...seen].sort()).toEqual(named.map(({ name }) => name));
        if (problem) return;
        for (const { name, before, after } of named) {
          for (const other of seen.filter((it) => it !== name)) {
            if (before.includes(other)) {
              expect(seen.indexOf(name)).toBeLessThan(seen.indexOf(other));
            }
            if (after.includes(other)) {
              expect(seen.indexOf(name)).toBeGreaterThan(seen.indexOf(other));
            }
          }
        }
      }),
    );
  });
});

describe("a cycle", () => {
  it("is reported and its wishes are ignored", async () => {
    const { seen, problem } = await run(
      { name: "a", after: "b" },
      { name: "b", after: "a" },
      { name: "c" },
    );
    expect(seen).toEqual(["a", "b", "c"]);
    expect(problem).toMatchObject({ error: { code: "SEAM_HANDLER_ORDER" }, event: "tool_call" });
    expect(problem?.error.message).toContain("a, b");
  });

  it("is found over three extensions, through before and after", async () => {
    const { seen, problem } = await run(
      { name: "a", after: "c" },
      { name: "b", after: "a" },
      { name: "c", after: "b" },
    );
    expect(seen).toEqual(["a", "b", "c"]);
    expect(problem?.error.code).toBe("SEAM_HANDLER_ORDER");
  });

  it("is reported as a problem of an extension that takes part in it", async () => {
    const { problem } = await run(
      { name: "bystander" },
      { name: "a", after: "b" },
      { name: "b", after: "a" },
    );
    expect(["a", "b"]).toContain(problem?.owner.name);
  });

  it("names only the extensions that contradict each other", async () => {
    const { problem } = await run(
      { name: "a", after: "b" },
      { name: "b", after: "a" },
      { name: "downstream", after: "a" },
    );
    expect(problem?.error.message).not.toContain("downstream");
  });

  it("leaves the wishes of the others in force", async () => {
    const { seen } = await run(
      { name: "a", after: "b" },
      { name: "b", after: "a" },
      { name: "c", after: "d" },
      { name: "d" },
    );
    expect(seen.indexOf("d")).toBeLessThan(seen.indexOf("c"));
  });

  it("leaves in force what its own members wish of others", async () => {
    const { seen } = await run(
      { name: "a", after: ["b", "c"] },
      { name: "b", after: "a" },
      { name: "c" },
    );
    expect(seen.indexOf("c")).toBeLessThan(seen.indexOf("a"));
  });

  it("is reported once, not again with every later subscription", () => {
    const { dispatcher, codes } = setUp();
    dispatcher.on(extension("a"), "tool_call", () => {}, { after: "b" });
    dispatcher.on(extension("b"), "tool_call", () => {}, { after: "a" });
    dispatcher.on(extension("c"), "tool_call", () => {});
    dispatcher.on(extension("d"), "tool_call", () => {});
    expect(codes()).toEqual(["SEAM_HANDLER_ORDER"]);
  });

  it("is gone once one of the extensions is", async () => {
    const { dispatcher, problems } = setUp();
    const [a, b, c] = [extension("a"), extension("b"), extension("c")];
    const seen: string[] = [];
    dispatcher.on(a, "tool_call", () => void seen.push("a"), { after: ["b", "c"] });
    dispatcher.on(b, "tool_call", () => void seen.push("b"), { after: "a" });
    dispatcher.on(c, "tool_call", () => void seen.push("c"));
    problems.length = 0;
    dispatcher.removeOwner(b);
    await dispatcher.emit(toolCall());
    expect(seen).toEqual(["c", "a"]);
    expect(problems).toEqual([]);
  });
});
