import { describe, expect, it } from "vitest";
import type { AssistantMessage, Model } from "../../events/index.ts";
import type { AssistantMessageStream, ModelRegistry } from "../api/models.ts";
import { load, model, stubHost, unused } from "../test-kit/index.ts";
import { piAi } from "./pi-ai.ts";

const ai = piAi(() => unused<ModelRegistry>("registry"));
const usage = () => ({
  input: 1_000_000,
  output: 500_000,
  cacheRead: 0,
  cacheWrite: 250_000,
  totalTokens: 1_750_000,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
});

it("StringEnum is a plain enum of strings", () => {
  expect(ai.StringEnum(["a", "b"], { description: "which", default: "b" })).toMatchObject({
    type: "string",
    enum: ["a", "b"],
    description: "which",
    default: "b",
  });
});

it("calculateCost counts per million tokens and fills in the usage", () => {
  const used = usage();
  const cost = ai.calculateCost(model(), used);
  expect(cost).toEqual({ input: 1, output: 1, cacheRead: 0, cacheWrite: 1, total: 3 });
  expect(used.cost).toEqual(cost);
});

describe("clampThinkingLevel", () => {
  it.each([
    ["what the model can", {}, "high", "high"],
    ["a model that does not think", { reasoning: false }, "high", "off"],
    ["a level that is left out", { thinkingLevelMap: { high: null } }, "high", "medium"],
    [
      "several that are left out",
      { thinkingLevelMap: { low: null, medium: null } },
      "medium",
      "minimal",
    ],
    ["no lower one is there", { thinkingLevelMap: { off: null, minimal: null } }, "off", "low"],
  ] as const)("%s", (_, changes, wanted, expected) => {
    expect(ai.clampThinkingLevel(model(changes), wanted)).toBe(expected);
  });
});

it("modelsAreEqual compares provider and id", () => {
  expect(ai.modelsAreEqual(model(), model({ name: "other name" }))).toBe(true);
  expect(ai.modelsAreEqual(model(), model({ provider: "other" }))).toBe(false);
  expect(ai.modelsAreEqual(model(), undefined)).toBe(false);
});

const ASKS = `import { complete, getModel, getProviders, getModels } from "@mariozechner/pi-ai";
  export default (pi) => {
    pi.registerCommand("ask", { handler: async () => {
      const model = getModel("stub", "m-1");
      seen.push((await complete(model, { messages: [] }, { apiKey: "k" })).stopReason);
      seen.push(getModel("stub", "nope"), getProviders(), getModels("stub").length);
    } });
  };`;

function registry(answers: Partial<ModelRegistry>): ModelRegistry {
  return Object.assign(unused<ModelRegistry>("modelRegistry"), answers);
}

function answering(stopReason: AssistantMessage["stopReason"]): AssistantMessageStream {
  const result = async () => ({ stopReason }) as AssistantMessage;
  return Object.assign(unused<AssistantMessageStream>("stream"), { result });
}

it("complete() and getModel() reach the models of the host", async () => {
  const { set, seen } = await load({ "a.ts": ASKS });
  const asked: unknown[] = [];
  const modelRegistry = registry({
    find: (provider, id) => (id === "m-1" ? model({ provider, id }) : undefined),
    getAll: () => [model(), model({ provider: "second" }), model({ id: "m-2" })],
    stream: (which: Model, request, options) => {
      asked.push([which.id, request, options]);
      return answering("length");
    },
  });
  set.bind(stubHost({ modelRegistry }));
  await set.commands()[0]?.run("");
  expect(set.problems).toEqual([]);
  expect(asked).toEqual([["m-1", { messages: [] }, { apiKey: "k" }]]);
  expect(seen).toEqual(["length", undefined, ["stub", "second"], 2]);
});

it("an api the extension registered answers itself, for this extension only", async () => {
  const COMPLETES = (
    own: string,
  ) => `import { complete, registerApiProvider } from "@mariozechner/pi-ai";
    ${own}
    export default (pi) => {
      pi.registerCommand("ask", { handler: async (_, ctx) => {
        seen.push((await complete(ctx.model, { messages: [] })).stopReason);
      } });
    };`;
  const { set, seen } = await load({
    "own.ts": COMPLETES(
      "registerApiProvider({ api: 'stub-api', streamSimple: () => ({ result: async () => ({ stopReason: 'own' }) }) });",
    ),
    "other.ts": COMPLETES("void registerApiProvider;"),
  });
  const modelRegistry = registry({ stream: () => answering("stop") });
  set.bind(stubHost({ model: model(), modelRegistry }));
  for (const command of set.commands()) await command.run("");
  expect(seen).toEqual(["own", "stop"]);
});

it("asking a model while loading fails with an error that says so", async () => {
  const { problem, path } = await load({
    "a.ts": `import { getModel } from "@mariozechner/pi-ai";
      export default () => { getModel("stub", "m-1"); };`,
  });
  expect(problem("SEAM_EXT_NOT_BOUND").error.message).toContain(path("a.ts"));
});

it("complete() while loading is a rejection, as everything else that goes wrong with it", async () => {
  const { seen } = await load({
    "a.ts": `import { complete } from "@mariozechner/pi-ai";
      export default () => complete({}, { messages: [] }).catch((error) => seen.push(error.code));`,
  });
  expect(seen).toEqual(["SEAM_EXT_NOT_BOUND"]);
});
