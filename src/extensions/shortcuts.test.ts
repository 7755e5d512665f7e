import { describe, expect, it } from "vitest";
import { load, stubHost } from "./test-kit/index.ts";

async function shortcut(handler: string) {
  const loaded = await load({
    "a.ts": `export default (pi) => {
      given.pi = pi;
      pi.registerShortcut("ctrl+g", { description: "Go", handler: ${handler} });
    };`,
  });
  loaded.set.bind(stubHost());
  const [found] = loaded.set.shortcuts();
  if (!found) throw new Error("The shortcut is missing.");
  return { ...loaded, shortcut: found };
}

describe("a shortcut", () => {
  it("is run with a context", async () => {
    const { shortcut: found, seen } = await shortcut("(ctx) => { seen.push(ctx.cwd); }");
    expect([found.key, found.options.description]).toEqual(["ctrl+g", "Go"]);
    found.run();
    expect(seen).toEqual(["/host"]);
  });

  it.each([
    ["throws", "() => { throw new Error('slipped'); }"],
    ["rejects", "async () => { throw new Error('slipped'); }"],
    ["misuses the API", "() => { given.pi.registerCommand('slipped out'); }"],
  ])("that %s is reported and does not reach the host", async (_, handler) => {
    const { shortcut: found, set, path } = await shortcut(handler);
    expect(() => found.run()).not.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
    expect(set.problems).toMatchObject([{ severity: "error", path: path("a.ts") }]);
    expect(set.problems[0]?.error.message).toContain("slipped");
  });

  it("that fails is named in the report", async () => {
    const { shortcut: found, set } = await shortcut("() => { throw new Error('slipped'); }");
    found.run();
    expect(JSON.stringify(set.problems)).toContain("ctrl+g");
  });
});

it("a renderer is found by the type of message it is for", async () => {
  const { set, seen } = await load({
    "a.ts": `export default (pi) => {
      pi.registerMessageRenderer("note", () => { seen.push("drawn"); });
    };`,
  });
  const draw = set.renderer("note") as unknown as () => void;
  draw();
  expect(seen).toEqual(["drawn"]);
  expect(set.renderer("other")).toBeUndefined();
});
