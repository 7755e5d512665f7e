import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ProviderModelConfig } from "../../extensions/index.ts";
import { createAssistantMessageEventStream } from "../../extensions/index.ts";
import { assistant, HELLO, hear, lonelyModels } from "./test-kit/ask.ts";

const MODEL: ProviderModelConfig = {
  id: "tiny",
  name: "Tiny",
  reasoning: false,
  input: ["text"],
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000,
  maxTokens: 100,
};

test("a model is found by its full name, by its id, and with more slashes", () => {
  const models = lonelyModels();
  expect(models.resolve("openai/gpt-6-luna")).toMatchObject({ provider: "openai" });
  expect(models.resolve("gpt-6-luna")).toMatchObject({ provider: "openai" });
  models.register("router", { api: "openai-completions", baseUrl: "http://x", models: [] });
  expect(models.resolve("router/qwen/qwen-9")).toMatchObject({
    provider: "router",
    id: "qwen/qwen-9",
  });
});

test("of two providers with the same model the one with a key is meant", () => {
  const models = lonelyModels({ env: { MY_KEY: "k" } });
  models.register("a", {
    baseUrl: "http://a",
    api: "openai-completions",
    apiKey: "NO_KEY",
    models: [MODEL],
  });
  models.register("b", {
    baseUrl: "http://b",
    api: "openai-completions",
    apiKey: "MY_KEY",
    models: [MODEL],
  });
  expect(models.resolve("tiny").provider).toBe("b");
});

test("a model of a known provider that is not listed is taken, and says so", () => {
  const model = lonelyModels().resolve("anthropic/claude-next");
  expect(model).toMatchObject({ api: "anthropic-messages", cost: { input: 0, output: 0 } });
  expect(model.name).toContain("not in the list");
});

test.each([
  ["claude-sonet-5-5", 'Did you mean "claude-sonnet-5-5"?'],
  ["antropic/claude-opus-5", 'Did you mean "anthropic/claude-opus-5"?'],
  ["completely-different-words", "Write provider/model. The providers are: anthropic"],
  ["", "Write provider/model."],
  ["anthropic/", "Write provider/model."],
])("an unknown model %j gets a hint", (spec, hint) => {
  const thrown = caught(() => lonelyModels().resolve(spec));
  expect(thrown).toMatchObject({ name: "SeamError", code: "SEAM_MODEL_UNKNOWN" });
  expect(thrown).toMatchObject({ next: expect.stringContaining(hint) });
});

test("the default is the first provider's first model there is a key for", () => {
  expect(lonelyModels().defaultModel()).toBeUndefined();
  const openai = lonelyModels({ env: { OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" } });
  expect(openai.defaultModel()?.id).toBe("gpt-6.1-sol");
  const google = lonelyModels({ env: { GOOGLE_GENERATIVE_AI_API_KEY: "k" } });
  expect(google.defaultModel()?.id).toBe("gemini-4-argon");
  expect(google.getAvailable().every(({ provider }) => provider === "google")).toBe(true);
});

test("the catalogue is complete and its prices make sense", () => {
  const all = lonelyModels().getAll();
  expect(all.length).toBeGreaterThanOrEqual(12);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { cost, contextWindow, maxTokens } of all) {
    expect(cost.output).toBeGreaterThan(cost.input);
    expect(cost.cacheRead).toBeLessThan(cost.input);
    expect(contextWindow).toBeGreaterThan(maxTokens);
  }
});

test("models an extension registers take the place of the provider's, until it takes them back", () => {
  const models = lonelyModels();
  const before = models.getAll();
  models.register("anthropic", { baseUrl: "http://proxy", models: [MODEL] });
  const own = models.getAll().filter(({ provider }) => provider === "anthropic");
  expect(own).toEqual([
    { ...MODEL, provider: "anthropic", api: "anthropic-messages", baseUrl: "http://proxy" },
  ]);
  models.unregister("anthropic");
  expect(models.getAll()).toEqual(before);
});

test("an extension that names only an address moves the provider's models there", async () => {
  const models = lonelyModels({ env: { ANTHROPIC_API_KEY: "k" } });
  models.register("anthropic", { baseUrl: "http://proxy", headers: { "x-team": "blue" } });
  const model = models.resolve("claude-opus-5");
  expect(model).toMatchObject({ baseUrl: "http://proxy", cost: { input: 5 } });
  const auth = await models.getApiKeyAndHeaders(model);
  expect(auth).toEqual({ ok: true, apiKey: "k", headers: { "x-team": "blue" } });
});

test("a key can be a variable, a value, and go into a header", async () => {
  const models = lonelyModels({ env: { TEAM_KEY: "from-env" } });
  const config = {
    baseUrl: "http://x",
    api: "openai-completions",
    models: [MODEL],
    authHeader: true,
  };
  models.register("named", { ...config, apiKey: "TEAM_KEY" });
  models.register("dollar", { ...config, apiKey: "$TEAM_KEY" });
  models.register("literal", { ...config, apiKey: "sk-123" });
  models.register("missing", { ...config, apiKey: "OTHER_KEY" });
  models.register("command", { ...config, apiKey: "!echo secret" });
  const keys = ["named", "dollar", "literal", "missing", "command"].map((name) =>
    models.getApiKeyForProvider(name),
  );
  expect(await Promise.all(keys)).toEqual(["from-env", "from-env", "sk-123", undefined, undefined]);
  expect(await models.getApiKeyAndHeaders(models.resolve("literal/tiny"))).toMatchObject({
    headers: { Authorization: "Bearer sk-123" },
  });
  const missing = models.resolve("missing/tiny");
  expect(models.hasConfiguredAuth(missing)).toBe(false);
  expect(await models.getApiKeyAndHeaders(missing)).toMatchObject({
    ok: false,
    error: expect.stringContaining("OTHER_KEY is not set"),
  });
});

test("a configured key that is missing leaves the usual variable", async () => {
  const models = lonelyModels({ env: { ANTHROPIC_API_KEY: "usual" } });
  models.register("anthropic", { apiKey: "SPECIAL_KEY" });
  expect(models.hasConfiguredAuth(models.resolve("claude-opus-5"))).toBe(true);
  expect(await models.getApiKeyForProvider("anthropic")).toBe("usual");
});

test("a provider with its own stream function is asked through it, with its key", async () => {
  const models = lonelyModels({ env: { TOKEN_A: "t" } });
  const seen: unknown[] = [];
  models.register("own", {
    name: "Own one",
    api: "own-api",
    apiKey: "TOKEN_A",
    baseUrl: "http://x",
    models: [MODEL],
    streamSimple: (model, request, options) => {
      seen.push([model.id, request.messages.length, options?.apiKey]);
      const stream = createAssistantMessageEventStream();
      const message = assistant(model, [{ type: "text", text: "hi" }]);
      stream.push({ type: "start", partial: message });
      stream.push({ type: "done", reason: "stop", message });
      return stream;
    },
  });
  const model = models.resolve("own/tiny");
  const { types, message } = await hear(models.stream(model, HELLO));
  expect(types).toEqual(["start", "done"]);
  expect(message.content).toEqual([{ type: "text", text: "hi" }]);
  expect(seen).toEqual([["tiny", 1, "t"]]);
  expect(models.getProviderDisplayName("own")).toBe("Own one");
  // It knows its own models, so a name it does not have is a mistake.
  expect(() => models.resolve("own/large")).toThrow();
});

test("a stream function that throws, ends early or never ends does no harm", async () => {
  const models = lonelyModels();
  const start = createAssistantMessageEventStream;
  const streams = {
    throws: () => {
      throw new Error("broken");
    },
    endsEarly: () => {
      const stream = start();
      stream.end();
      return stream;
    },
    never: start,
  };
  for (const [name, streamSimple] of Object.entries(streams)) {
    models.register(name, { baseUrl: "", models: [MODEL], streamSimple });
  }
  const throws = await hear(models.stream(models.resolve("throws/tiny"), HELLO));
  expect(throws.message).toMatchObject({ stopReason: "error", errorMessage: "broken" });
  const early = await hear(models.stream(models.resolve("endsEarly/tiny"), HELLO));
  expect(early.message.stopReason).toBe("error");
  const abort = new AbortController();
  const never = models.stream(models.resolve("never/tiny"), HELLO, { signal: abort.signal });
  setTimeout(() => abort.abort(), 20);
  expect((await hear(never)).message.stopReason).toBe("aborted");
});

test("the SDKs are loaded by import() alone, so that a script starts without them", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(20);
  for (const file of sources) {
    const text = readFileSync(join(import.meta.dirname, file), "utf8");
    expect(text, file).not.toMatch(/^import (?!type ).*from "@ai-sdk/m);
  }
});

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("It did not throw.");
}
