import { expect, it } from "vitest";
import { load, TOOL_CALL, TURN_START } from "../test-kit/index.ts";

const MISSPELT = `export default (pi) => {
  pi.on("turn_strat", () => {});
  pi.on("turn_start", () => seen.push("real"));
};`;

it("an unknown event is a warning with the nearest name, and the rest of the extension works", async () => {
  const { set, seen, problem, path } = await load({ "a.ts": MISSPELT });
  expect(problem("SEAM_EVENT_UNKNOWN")).toMatchObject({
    severity: "warning",
    path: path("a.ts"),
    event: "turn_strat",
    where: { file: path("a.ts"), line: 2 },
  });
  expect(problem("SEAM_EVENT_UNKNOWN").error.next).toContain('"turn_start"');
  set.dispatcher.emit(TURN_START);
  await set.dispatcher.settled();
  expect(seen).toEqual(["real"]);
});

it.each(["undefined", "42", "{}"])("%s is as unknown an event as any other", async (event) => {
  const { codes } = await load({
    "a.ts": `export default (pi) => { pi.on(${event}, () => {}); };`,
  });
  expect(codes()).toEqual(["SEAM_EVENT_UNKNOWN"]);
});

it("ending the subscription to an unknown event does nothing", async () => {
  const { codes } = await load({
    "a.ts": "export default (pi) => { pi.on('nope', () => {})(); };",
  });
  expect(codes()).toEqual(["SEAM_EVENT_UNKNOWN"]);
});

it("in a critical extension it is an error, and tool calls are blocked", async () => {
  const { set, problem } = await load({ "guard.ts": `export const critical = true;\n${MISSPELT}` });
  expect(problem("SEAM_EVENT_UNKNOWN").severity).toBe("error");
  expect(set.extensions).toEqual([]);
  expect(await set.dispatcher.emit(TOOL_CALL)).toMatchObject({ blocked: true, by: "guard" });
});
