import { describe, expect, it, vi } from "vitest";
import { load, stubHost, TURN_START } from "./test-kit/index.ts";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const THROWS = "() => {\n  throw new Error('tick');\n}";
const REJECTS = "async () => {\n  throw new Error('tick');\n}";

describe("a failing callback is reported with the extension and its line", () => {
  it.each([
    ["setTimeout", `setTimeout(${THROWS}, 1)`],
    ["an async callback of setTimeout", `setTimeout(${REJECTS}, 1)`],
    ["setTimeout without a delay", `setTimeout(${THROWS})`],
    [
      "setInterval",
      `const i = setInterval(() => { clearInterval(i);\n  throw new Error('tick'); }, 1)`,
    ],
    ["setImmediate", `setImmediate(${THROWS})`],
    ["queueMicrotask", `queueMicrotask(${THROWS})`],
  ])("%s", async (_, start) => {
    const { set, problem, path } = await load({ "a.ts": `export default () => {\n${start};\n};` });
    await vi.waitUntil(() => set.problems.length > 0);
    const found = problem("SEAM_TIMER_THREW");
    expect(found).toMatchObject({
      severity: "error",
      path: path("a.ts"),
      where: { file: path("a.ts"), line: 3 },
    });
    expect(found.error.message).toContain("tick");
  });

  it.each(["setTimeout", "setInterval"])("ctx.%s", async (name) => {
    const { set, problem, path } = await load({
      "a.ts": `export default (pi) => {
        pi.on("turn_start", (_, ctx) => {
          const timer = ctx.${name}(() => { ctx.clearTimer(timer); throw new Error("tick"); }, 1);
        });
      };`,
    });
    set.bind(stubHost());
    set.dispatcher.emit(TURN_START);
    await vi.waitUntil(() => set.problems.length > 0);
    await wait(20);
    expect(problem("SEAM_TIMER_THREW").path).toBe(path("a.ts"));
  });

  it("in a file the extension imports", async () => {
    const { set, problem, path } = await load(
      {
        "a.ts": `import { start } from "./helper.ts"; export default () => start();`,
        "helper.ts": `export function start() {\n  setTimeout(${THROWS}, 1);\n}`,
      },
      { entries: ["a.ts"] },
    );
    await vi.waitUntil(() => set.problems.length > 0);
    const found = problem("SEAM_TIMER_THREW");
    expect(found).toMatchObject({
      path: path("a.ts"),
      where: { file: path("helper.ts"), line: 3 },
    });
  });

  it("an interval goes on after a failure", async () => {
    const { set } = await load({
      "a.ts": "export default () => { setInterval(() => { throw new Error('tick'); }, 1); };",
    });
    await vi.waitUntil(() => set.problems.length >= 3);
  });
});

describe("timers behave as Node's do", () => {
  it("arguments are passed on", async () => {
    const { seen } = await load({
      "a.ts": `export default () => {
        setTimeout((...args) => seen.push(args), 1, "a", 1);
        setImmediate((...args) => seen.push(args), "b");
      };`,
    });
    await vi.waitUntil(() => seen.length === 2);
    expect(seen).toContainEqual(["a", 1]);
    expect(seen).toContainEqual(["b"]);
  });

  it("they can be cleared, refreshed and unreferenced", async () => {
    const { set, seen } = await load({
      "a.ts": `export default () => {
        const timeout = setTimeout(() => seen.push("timeout"), 5);
        timeout.refresh().unref().ref();
        clearTimeout(timeout);
        clearInterval(setInterval(() => seen.push("interval"), 5));
        clearImmediate(setImmediate(() => seen.push("immediate")));
        clearTimeout(Number(setTimeout(() => seen.push("by number"), 5)));
      };`,
    });
    await wait(30);
    expect(set.problems).toEqual([]);
    expect(seen).toEqual([]);
  });

  it("promisify(setTimeout) and promisify(setImmediate) work", async () => {
    const { set, seen } = await load({
      "a.ts": `import { promisify } from "node:util";
        export default async () => {
          seen.push(await promisify(setTimeout)(1, "later"), await promisify(setImmediate)("soon"));
        };`,
    });
    expect(set.problems).toEqual([]);
    expect(seen).toEqual(["later", "soon"]);
  });

  it("a callback that is not a function is Node's own error, at the extension's line", async () => {
    const { problem, path } = await load({
      "a.ts": "export default () => {\n  setTimeout('text', 1);\n};",
    });
    const found = problem("SEAM_EXT_FACTORY");
    expect(found.error.message).toContain("callback");
    expect(found.where).toEqual({ file: path("a.ts"), line: 2 });
  });
});

describe("an extension may use these names for its own", () => {
  it.each([
    ["a function", "function setTimeout() { return 'own'; }"],
    ["a constant", "const setTimeout = () => 'own';"],
    ["an import", "import { setTimeout } from './own.ts';"],
    [
      "a class and a variable",
      "class setInterval {} let setImmediate; var queueMicrotask; const setTimeout = () => 'own';",
    ],
    ["an exported function", "export function setTimeout() { return 'own'; }"],
  ])("%s", async (_, declaration) => {
    const { set, seen } = await load(
      {
        "a.ts": `${declaration}\nexport default () => { seen.push(setTimeout()); };`,
        "own.ts": "export const setTimeout = () => 'own';",
      },
      { entries: ["a.ts"] },
    );
    expect(set.problems).toEqual([]);
    expect(seen).toEqual(["own"]);
  });

  it("and import them from Node", async () => {
    const { set, seen } = await load({
      "a.ts": `import { setTimeout } from "node:timers/promises";
        export default async () => { seen.push(await setTimeout(1, "slept")); };`,
    });
    expect(set.problems).toEqual([]);
    expect(seen).toEqual(["slept"]);
  });
});

describe("at dispose()", () => {
  it.each([
    ["intervals", "setInterval(() => seen.push('x'), 10)"],
    ["timeouts", "setTimeout(() => seen.push('x'), 50)"],
    [
      "immediates",
      "pi.registerCommand('go', { handler: () => { setImmediate(() => seen.push('x')); } })",
    ],
    ["timers started by other timers", "setTimeout(() => setTimeout(() => seen.push('x'), 50), 0)"],
  ])("%s stop", async (_, start) => {
    const { set, seen } = await load({ "a.ts": `export default (pi) => { ${start}; };` });
    set.bind(stubHost());
    await wait(5);
    await set.commands()[0]?.run("");
    set.dispose();
    seen.length = 0;
    await wait(100);
    expect(seen).toEqual([]);
  });

  it("no new timer of the extension fires", async () => {
    const { set, seen } = await load({
      "a.ts": "export default () => { given.start = () => setTimeout(() => seen.push('x'), 1); };",
    });
    const { start } = globalThis.given as { start?: () => void };
    set.dispose();
    try {
      start?.();
    } catch {
      // Refusing is as good as never firing.
    }
    await wait(30);
    expect(seen).toEqual([]);
  });
});
