import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HELLO, hear, lonelyModels } from "./test-kit/ask.ts";
import { sse, startModelServer } from "./test-kit/model-server.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "seam-models-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

function models(content: string | object, env: Record<string, string> = {}) {
  const modelsFile = join(dir, "models.json");
  writeFileSync(modelsFile, typeof content === "string" ? content : JSON.stringify(content));
  return lonelyModels({ modelsFile, env });
}

test("an endpoint of one's own, with comments and defaults", () => {
  const known = models(`{
    // My machine
    "providers": {
      "ollama": {
        "baseUrl": "http://localhost:11434/v1",
        "api": "openai-completions",
        "apiKey": "ollama",
        "models": [{ "id": "qwen" }, { "id": "big", "name": "Big", "contextWindow": 9000,
          "cost": { "input": 1, "output": 2 }, "reasoning": true, "input": ["text", "image"], }],
      },
    },
  }`);
  expect(known.problems).toEqual([]);
  expect(known.find("ollama", "qwen")).toEqual({
    id: "qwen",
    name: "qwen",
    provider: "ollama",
    api: "openai-completions",
    baseUrl: "http://localhost:11434/v1",
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128_000,
    maxTokens: 16_384,
  });
  expect(known.resolve("big")).toMatchObject({
    contextWindow: 9_000,
    reasoning: true,
    cost: { input: 1, output: 2, cacheRead: 0 },
  });
  expect(known.getAvailable().map(({ id }) => id)).toEqual(["qwen", "big"]);
});

test("a built-in provider is moved and added to, its models are kept", async () => {
  const known = models(
    {
      providers: {
        anthropic: {
          baseUrl: "http://proxy",
          apiKey: "$PROXY_TOKEN",
          headers: { "x-org": "ORG_NAME_VAR", "x-plain": "plain" },
          models: [{ id: "claude-mine" }],
          modelOverrides: { "claude-opus-5": { name: "Mine", cost: { input: 1 }, maxTokens: 99 } },
        },
      },
    },
    { PROXY_TOKEN: "t", ORG_NAME_VAR: "acme", ANTHROPIC_API_KEY: "not this one" },
  );
  const opus = known.resolve("claude-opus-5");
  expect(opus).toMatchObject({ name: "Mine", baseUrl: "http://proxy", maxTokens: 99 });
  expect(opus.cost).toMatchObject({ input: 1, output: 25 });
  expect(known.resolve("claude-mine").api).toBe("anthropic-messages");
  expect(known.resolve("claude-sonnet-5-5").baseUrl).toBe("http://proxy");
  expect(await known.getApiKeyAndHeaders(opus)).toEqual({
    ok: true,
    apiKey: "t",
    headers: { "x-org": "acme", "x-plain": "plain" },
  });
});

test("a key can come from a command, which is run when it is needed and not again", async () => {
  const counter = join(dir, "count");
  const command = `!echo x >> ${counter}; echo key-$(wc -l < ${counter} | tr -d ' ')`;
  const known = models({ providers: { anthropic: { apiKey: command } } });
  expect(known.hasConfiguredAuth(known.resolve("claude-opus-5"))).toBe(true);
  expect(await known.getApiKeyForProvider("anthropic")).toBe("key-1");
  expect(await known.getApiKeyForProvider("anthropic")).toBe("key-1");
});

test("a command that fails is told without what it printed", async () => {
  const known = models({ providers: { anthropic: { apiKey: "!echo half-a-secret; exit 3" } } });
  const auth = await known.getApiKeyAndHeaders(known.resolve("claude-opus-5"));
  expect(auth).toMatchObject({ ok: false, error: expect.stringContaining("the command") });
});

test.each([
  ["not JSON", "{ providers: ", "line 1"],
  ["a list", "[]", 'no "providers"'],
  ["no providers", "{}", 'no "providers"'],
  ["empty", "", "line 1"],
  ["too deep", "[".repeat(200_000), ""],
])("a broken file (%s) is reported and ignored", (_, content, detail) => {
  const known = models(content);
  expect(known.problems).toMatchObject([{ code: "SEAM_MODELS_FILE" }]);
  expect(known.problems[0]?.message).toContain(detail);
  expect(known.resolve("claude-opus-5").provider).toBe("anthropic");
});

test("one broken provider does not take the others with it", () => {
  const known = models({
    providers: {
      bad: { models: [{ name: "no id" }] },
      worse: "text",
      morse: { baseUrl: "http://x", api: "morse", models: [{ id: "m" }] },
      good: { baseUrl: "http://x", api: "openai-completions", models: [{ id: "fine" }] },
    },
  });
  expect(known.resolve("fine").provider).toBe("good");
  expect(known.problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('"bad"'),
    expect.stringContaining('"worse"'),
    expect.stringContaining('"morse"; known are anthropic-messages'),
  ]);
});

test("what is wrong is told with the file and the line", () => {
  const messages = (content: string) => models(content).problems.map(({ message }) => message);
  const path = join(dir, "models.json");
  expect(messages('{\n  "providers": {\n    "a": { "api" "x" }\n  }\n}')).toEqual([
    `${path} cannot be used: line 3: colon expected.`,
  ]);
  const text = `{
    "providers": {
      "a": {
        "baseUrl": 1
      },
      "b.c": {
        "models": [
          { "id": "fine" },
          { "id": "m",
            "maxTokens": 0 }
        ]
      },
      "d": { "models": [{ "id": "m" },
        { "id": "n", "api": "morse" }] },
      "e": 5
    }
  }`;
  expect(messages(text)).toEqual([
    expect.stringContaining('line 4, "a": baseUrl must be string'),
    expect.stringContaining('line 10, "b.c": models.1.maxTokens must be'),
    expect.stringContaining('line 14, "d": it speaks "morse"'),
    expect.stringContaining('line 15, "e": must be object'),
  ]);
});

test("no file is no problem", () => {
  expect(lonelyModels({ modelsFile: join(dir, "missing.json") }).problems).toEqual([]);
});

test("an endpoint of the file is really asked, with its headers and no key of ours", async () => {
  const chunk = {
    id: "1",
    choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }],
  };
  await using server = await startModelServer(sse([chunk, "[DONE]"]));
  const known = models(
    {
      providers: {
        mine: {
          baseUrl: `${server.url}/v1`,
          api: "openai-completions",
          headers: { Authorization: "Custom abc" },
          models: [{ id: "m", headers: { "x-model": "one" } }],
        },
      },
    },
    { OPENAI_API_KEY: "must not leak" },
  );
  const { message } = await hear(known.stream(known.resolve("mine/m"), HELLO));
  expect(message.content).toEqual([{ type: "text", text: "hi" }]);
  const [request] = server.requests;
  expect(request?.headers).toMatchObject({ authorization: "Custom abc", "x-model": "one" });
});
