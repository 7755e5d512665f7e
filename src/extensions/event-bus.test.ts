import { describe, expect, it } from "vitest";
import { SharedBus } from "./event-bus.ts";
import { load, stubHost } from "./test-kit/index.ts";

const EMITS = `export default (pi) => {
  pi.registerCommand("emit", { handler: (args) => pi.events.emit("channel", args) });
};`;
const HEARS = (body: string) =>
  `export default (pi) => {\n  pi.events.on("channel", (data) => { ${body} });\n};`;

async function emitting(files: Record<string, string>) {
  const loaded = await load({ ...files, "emits.ts": EMITS });
  loaded.set.bind(stubHost());
  const emit = async (data: string) => {
    const all = loaded.set.commands();
    await all.find(({ invocationName }) => invocationName === "emit")?.run(data);
  };
  return { ...loaded, emit };
}

describe("the bus between extensions", () => {
  it("carries what one says to all that listen, in order", async () => {
    const { emit, seen } = await emitting({
      "a.ts": HEARS("seen.push('a ' + data)"),
      "b.ts": HEARS("seen.push('b ' + data)"),
    });
    await emit("hello");
    expect(seen).toEqual(["a hello", "b hello"]);
  });

  it("contains a listener that throws, and shows its line", async () => {
    const { emit, seen, problem, path } = await emitting({
      "bad.ts": HEARS("throw new Error('deaf');"),
      "good.ts": HEARS("seen.push('heard')"),
    });
    await emit("hello");
    expect(seen).toEqual(["heard"]);
    const found = problem("SEAM_TIMER_THREW");
    expect(found).toMatchObject({ path: path("bad.ts"), where: { file: path("bad.ts"), line: 2 } });
    expect(found.error.message).toContain("deaf");
  });

  it("contains a listener that rejects, with whatever it rejects", async () => {
    const { emit, seen, problem, path } = await emitting({
      "bad.ts": HEARS("return Promise.reject('deaf');"),
      "good.ts": HEARS("seen.push('heard')"),
    });
    await emit("hello");
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(["heard"]);
    expect(problem("SEAM_TIMER_THREW").path).toBe(path("bad.ts"));
    expect(problem("SEAM_TIMER_THREW").error.message).toContain("deaf");
  });

  it("lets a listener leave, also while it is being told", async () => {
    const { emit, seen } = await emitting({
      "a.ts": `export default (pi) => {
        const end = pi.events.on("channel", (data) => { seen.push(data); end(); });
      };`,
    });
    await emit("one");
    await emit("two");
    expect(seen).toEqual(["one"]);
  });

  it("keeps channels apart", async () => {
    const { emit, seen } = await emitting({
      "a.ts": "export default (pi) => { pi.events.on('other', () => seen.push('heard')); };",
    });
    await emit("hello");
    expect(seen).toEqual([]);
  });
});

it("one end's subscriptions end together, the other's stay", () => {
  const shared = new SharedBus();
  const heard: string[] = [];
  const fail = (thrown: unknown) => {
    throw thrown;
  };
  const join = (name: string) => shared.join({ name, path: `<${name}>` }, fail);
  const [mine, other] = [join("mine"), join("other")];
  mine.bus.on("c", () => heard.push("mine"));
  mine.bus.on("d", () => heard.push("mine"));
  other.bus.on("c", () => heard.push("other"));
  mine.leave();
  other.bus.emit("c", 1);
  other.bus.emit("d", 1);
  expect(heard).toEqual(["other"]);
});

it("all subscriptions end with the set", async () => {
  const { set, seen } = await load({
    "hears.ts": HEARS("seen.push('heard')"),
    "emits.ts": `export default (pi) => {
      // What a library keeps hold of survives the session; its listeners must not.
      globalThis.emitLater = pi.events.emit;
    };`,
  });
  const { emitLater } = globalThis as unknown as { emitLater: (c: string, d: unknown) => void };
  emitLater("channel", 1);
  expect(seen).toEqual(["heard"]);
  set.dispose();
  expect(() => emitLater("channel", 1)).toThrow(
    expect.objectContaining({ code: "SEAM_EXT_STALE" }),
  );
  expect(seen).toEqual(["heard"]);
});
