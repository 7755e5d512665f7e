import { describe, expect, it } from "vitest";
import { BYSTANDER, load, TOOL_CALL } from "../test-kit/index.ts";

const BROKEN = [
  ["its factory throws", "export const critical = true;\nexport default () => { throw 1; };"],
  [
    "its factory rejects",
    "export const critical = true;\nexport default async () => { throw 1; };",
  ],
  ["it has no factory", "export const critical = true;"],
  [
    "its factory never ends",
    "export const critical = true;\nexport default () => new Promise(() => {});",
  ],
  [
    "it registers nonsense",
    'export const critical = true;\nexport default (pi) => pi.on("tool_call", 1);',
  ],
  [
    "it is written in CommonJS and throws",
    "exports.critical = true;\nexports.default = () => { throw 1; };",
  ],
  [
    "its module throws",
    "export const critical = true;\nthrow new Error('top');\nexport default () => {};",
  ],
  ["it cannot be parsed", "export const critical = true;\nexport default () => { const = 1 };"],
  [
    "it imports what is not installed",
    "import x from 'not-installed';\nexport const critical = true;\nexport default () => x;",
  ],
  [
    "it uses a name that is not there",
    "import { Nope } from 'agentseam';\nexport const critical = true;\nexport default () => Nope();",
  ],
  [
    "its module never ends",
    "export const critical = true;\nawait new Promise(() => {});\nexport default () => {};",
  ],
] as const;

describe("a critical extension that does not start blocks tool calls", () => {
  it.each(BROKEN)("%s", async (_, source) => {
    const files = { "a.ts": BYSTANDER, "guard.ts": source };
    const { set, path } = await load(files, { loadDeadlineMs: 300 });
    expect(set.failures.map(({ name }) => name)).toEqual(["guard"]);
    const decision = await set.dispatcher.emit(TOOL_CALL);
    expect(decision).toMatchObject({ blocked: true, by: "guard" });
    expect(decision.reason).toContain(path("guard.ts"));
  });
});

it.each(BROKEN)("without the mark nothing is blocked: %s", async (_, source) => {
  const plain = source.replace(/.*critical = true;/, "");
  const { set } = await load({ "guard.ts": plain }, { loadDeadlineMs: 300 });
  expect(set.failures).toHaveLength(1);
  expect(await set.dispatcher.emit(TOOL_CALL)).toMatchObject({ blocked: false });
});

it("a critical extension that starts blocks nothing by itself", async () => {
  const { set } = await load({
    "guard.ts": "export const critical = true; export default () => {};",
  });
  expect(set.extensions[0]?.critical).toBe(true);
  expect(await set.dispatcher.emit(TOOL_CALL)).toMatchObject({ blocked: false });
});

it("only the value true makes an extension critical", async () => {
  const { set } = await load({
    "a.ts": "export const critical = 'yes'; export default () => { throw 1; };",
  });
  expect(await set.dispatcher.emit(TOOL_CALL)).toMatchObject({ blocked: false });
});
