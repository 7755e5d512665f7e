import { expect, it } from "vitest";
import type { Model } from "../src/events/index.ts";
import { embedded } from "./test-kit/embedded.ts";

const OTHER: Omit<Model, "provider" | "api" | "baseUrl"> = {
  id: "small-1",
  name: "Small One",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000,
  maxTokens: 100,
};

async function start(answers?: []) {
  const started = await embedded("model-status.ts", {
    ...(answers && { answers }),
    prepare: (models) => {
      const config = { baseUrl: "http://localhost:1/v1", api: "openai-completions" };
      const local = { ...config, name: "Local models", apiKey: "key", models: [OTHER] };
      models.register("local", local);
      models.register("locked", { ...config, apiKey: "$NO_SUCH_KEY", models: [OTHER] });
    },
  });
  const choose = async (provider: string) => {
    const model = started.agent.findModel(provider, OTHER.id);
    if (!model) throw new Error(`The test has no model of ${provider}.`);
    return started.agent.setModel(model);
  };
  return { ...started, choose };
}

it("the model is shown from the start, and the new one after a change", async () => {
  const { seen, problems, choose } = await start([]);
  expect(seen.statuses.get("model")).toBe("scripted · Script script");
  await choose("local");
  expect(seen.statuses.get("model")).toBe("Local models · Small One");
  expect(seen.notifications.map(({ message }) => message)).toEqual(["Script script → Small One"]);
  expect(problems()).toEqual([]);
});

it("a change that fails is not shown", async () => {
  const { seen, choose } = await start([]);
  expect(await choose("locked")).toBe(false);
  expect(seen.statuses.get("model")).toBe("scripted · Script script");
});

it("with nobody to see it, nothing goes wrong", async () => {
  const { problems } = await start();
  expect(problems()).toEqual([]);
});
