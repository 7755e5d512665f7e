import { describe, expect, it, vi } from "vitest";
import { SeamError } from "../errors/index.ts";
import { leaveOut } from "./load/leave-out.ts";
import { BYSTANDER, load, stubHost, TOOL_CALL, TURN_START } from "./test-kit/index.ts";

const RICH = `export default (pi) => {
  given.pi = pi;
  pi.on("turn_start", () => seen.push("turn_start"));
  pi.registerTool({ name: "t", description: "d", parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [] }) });
  pi.registerCommand("c", { handler: () => {} });
  pi.registerProvider("mine", { baseUrl: "http://x", apiKey: "k", api: "openai-completions", models: [] });
  pi.events.on("channel", () => seen.push("bus"));
  setInterval(() => seen.push("tick"), 1);
};`;
const stuck = (path: string) =>
  new SeamError("SEAM_HANDLER_STUCK", { path, ms: 1, event: "turn_start", at: "" });

describe("an extension that is expelled", () => {
  it("leaves nothing behind, and is reported with its place", async () => {
    const { set, seen, pi, path, problem } = await load({ "a.ts": RICH, "b.ts": BYSTANDER });
    const host = stubHost();
    set.bind(host);
    const where = { file: path("a.ts"), line: 3 };
    expect(set.expel(path("a.ts"), stuck(path("a.ts")), { event: "turn_start", where })).toBe(true);
    expect(set.extensions.map(({ name }) => name)).toEqual(["b"]);
    expect([set.tools(), set.commands()]).toEqual([[], []]);
    expect(host.callsOf("unregisterProvider")).toEqual([["mine"]]);
    expect(host.callsOf("toolsChanged")).toEqual([[]]);
    expect(problem("SEAM_HANDLER_STUCK")).toMatchObject({ where, event: "turn_start" });
    expect(() => pi().events.emit("channel", 1)).toThrow(
      expect.objectContaining({ code: "SEAM_EXT_STALE" }),
    );
    seen.length = 0;
    await set.dispatcher.emit(TURN_START);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen).toEqual(["bystander"]);
    expect(set.expel(path("a.ts"), stuck(""), { event: "" })).toBe(false);
  });

  it("blocks tool calls from then on if it is critical", async () => {
    const source = `export const critical = true;\n${BYSTANDER}`;
    const { set, path } = await load({ "a.ts": source });
    expect(await set.dispatcher.emit(TOOL_CALL)).toMatchObject({ blocked: false });
    set.expel(path("a.ts"), stuck(path("a.ts")), { event: "turn_start" });
    expect(await set.dispatcher.emit(TOOL_CALL)).toMatchObject({ blocked: true, by: "a" });
  });
});

it("one that is left out fails in its place, with why, and blocks if it is critical", async () => {
  const first = await load({
    "a.ts": `export const critical = true;\n${BYSTANDER}`,
    "b.ts": BYSTANDER,
  });
  const inline = { name: "c", factory: vi.fn() };
  const errors = new Map(
    [first.path("a.ts"), "<c>"].map((path): [string, SeamError] => [path, stuck(path)]),
  );
  const sources = leaveOut(["a.ts", first.path("b.ts"), inline], first.dir, errors);
  const { set } = await load({}, { sources });
  expect(inline.factory).not.toHaveBeenCalled();
  expect(set.extensions.map(({ name }) => name)).toEqual(["b"]);
  expect(set.failures.map(({ name, problem }) => `${name} ${problem.error.code}`)).toEqual([
    "a SEAM_HANDLER_STUCK",
    "c SEAM_HANDLER_STUCK",
  ]);
  expect(await set.dispatcher.emit(TOOL_CALL)).toMatchObject({ blocked: true, by: "a" });
});
