import { describe, expect, it } from "vitest";
import { BYSTANDER, type Files, load, stubHost } from "../test-kit/index.ts";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const REGISTERS_EVERYTHING = `
  pi.on("tool_call", () => ({ block: true }));
  pi.on("turn_start", () => seen.push("handler"));
  pi.registerTool({ name: "t", description: "", parameters: { type: "object" }, execute() {} });
  pi.registerCommand("c", { handler() {} });
  pi.registerFlag("f", { type: "boolean" });
  pi.registerShortcut("ctrl+x", { handler() {} });
  pi.registerMessageRenderer("r", () => undefined);
  pi.registerProvider("p", {});
  pi.events.on("channel", () => seen.push("bus"));
  setTimeout(() => seen.push("timeout"), 20);
  setInterval(() => seen.push("interval"), 5);
  setImmediate(() => seen.push("immediate"));`;

const EMITS = `export default (pi) => {
  pi.on("turn_start", () => pi.events.emit("channel", 1));
  pi.registerCommand("emit", { handler: () => pi.events.emit("channel", 1) });
};`;

async function everythingIsGone(files: Files, options: { loadDeadlineMs?: number } = {}) {
  const { set, seen } = await load(files, options);
  // Until its deadline has passed an extension may do what it wants.
  if (options.loadDeadlineMs) seen.length = 0;
  const host = stubHost();
  set.bind(host);
  await set.commands()[0]?.run("");
  await wait(60);
  expect(seen).toEqual([]);
  expect(set.dispatcher.report().map(({ owner }) => owner)).toEqual(["emits"]);
  expect(set.tools()).toEqual([]);
  expect(set.flags()).toEqual([]);
  expect(set.shortcuts()).toEqual([]);
  expect(set.renderer("r")).toBeUndefined();
  expect(set.commands().map(({ invocationName }) => invocationName)).toEqual(["emit"]);
  expect(host.callsOf("registerProvider")).toEqual([]);
}

describe("nothing is left of an extension", () => {
  it("whose factory throws at the end", async () => {
    const bad = `export default (pi) => { ${REGISTERS_EVERYTHING} throw new Error("at last"); };`;
    await everythingIsGone({ "bad.ts": bad, "emits.ts": EMITS });
  });

  it("whose factory rejects", async () => {
    const bad = `export default async (pi) => { ${REGISTERS_EVERYTHING} throw new Error("x"); };`;
    await everythingIsGone({ "bad.ts": bad, "emits.ts": EMITS });
  });

  it("whose factory never ends", async () => {
    const bad = `export default async (pi) => {
      ${REGISTERS_EVERYTHING}
      await new Promise(() => {});
    };`;
    await everythingIsGone({ "bad.ts": bad, "emits.ts": EMITS }, { loadDeadlineMs: 100 });
  });

  it("whose module throws after it started timers", async () => {
    const bad = `const mine = seen; setInterval(() => mine.push("tick"), 5); throw new Error("top");`;
    await everythingIsGone({ "bad.ts": bad, "emits.ts": EMITS });
  });
});

it("a module that never ends evaluating leaves no timer", async () => {
  const { seen } = await load(
    {
      "bad.ts": `const mine = seen; setInterval(() => mine.push("tick"), 5); await new Promise(() => {});`,
    },
    { loadDeadlineMs: 50 },
  );
  seen.length = 0;
  await wait(50);
  expect(seen).toEqual([]);
});

it("a factory that goes on after its deadline reaches nobody any more", async () => {
  const { set, seen } = await load(
    {
      "late.ts": `export default async (pi) => {
        await new Promise((resolve) => globalThis.wakeUp = resolve);
        const all = [
          () => pi.registerProvider("late", {}),
          () => pi.registerTool({ name: "t", description: "", parameters: { type: "object" }, execute() {} }),
          () => pi.events.on("channel", () => seen.push("bus")),
          () => pi.sendUserMessage("hello"),
          () => setTimeout(() => seen.push("timer"), 1),
        ];
        for (const one of all) { try { one(); } catch {} }
      };`,
      "emits.ts": EMITS,
    },
    { loadDeadlineMs: 50 },
  );
  const host = stubHost();
  set.bind(host);
  const { wakeUp } = globalThis as unknown as { wakeUp: () => void };
  wakeUp();
  await wait(20);
  await set.commands()[0]?.run("");
  expect(seen).toEqual([]);
  expect(host.calls).toEqual([]);
});

it("a subscription taken back while loading does not come to life", async () => {
  const { set } = await load({
    "a.ts": `export default (pi) => { pi.on("turn_start", () => {})(); };`,
  });
  expect(set.dispatcher.report()).toEqual([]);
});

it("a subscription made while loading can be ended later", async () => {
  const { set, seen } = await load({
    "a.ts": `export default (pi) => {
      const end = pi.on("turn_start", () => seen.push("a"));
      pi.registerCommand("end", { handler: end });
    };`,
    "b.ts": BYSTANDER,
  });
  await set.commands()[0]?.run("");
  set.dispatcher.emit({ type: "turn_start", turnIndex: 0, timestamp: 0 });
  await set.dispatcher.settled();
  expect(seen).toEqual(["bystander"]);
});
