import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AssistantMessage, Model } from "../events/index.ts";
import {
  createAssistantMessageEventStream,
  type ModelRequestOptions,
  type ProviderConfig,
} from "../extensions/index.ts";
import { createAgent } from "./create-agent.ts";
import { Models } from "./models/index.ts";
import { hosted, returns, storedMessages, testProject, textsOf } from "./test-kit/index.ts";

const project = testProject();
const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const MODEL = {
  id: "m1",
  name: "Model one",
  reasoning: false,
  input: ["text" as const],
  cost: NOTHING,
  contextWindow: 1_000,
  maxTokens: 100,
};

/** A stream function that says one thing, and what it was called with. */
function speaker(text: string) {
  const calls: { options: ModelRequestOptions | undefined; prompt: string[] }[] = [];
  const streamSimple: ProviderConfig["streamSimple"] = (model, context, options) => {
    calls.push({ options, prompt: textsOf(context.messages) });
    const stream = createAssistantMessageEventStream();
    const message = answer(model, text);
    stream.push({ type: "start", partial: { ...message, content: [] } });
    stream.push({ type: "text_start", contentIndex: 0, partial: message });
    stream.push({ type: "text_delta", contentIndex: 0, delta: text, partial: message });
    stream.push({ type: "text_end", contentIndex: 0, content: text, partial: message });
    stream.push({ type: "done", reason: "stop", message });
    return stream;
  };
  return { calls, streamSimple };
}

function answer(model: Model, text: string): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { ...NOTHING, totalTokens: 0, cost: { ...NOTHING, total: 0 } },
    stopReason: "stop",
    timestamp: Date.now(),
  };
}

describe("a provider of an extension", () => {
  it("with its own stream is usable at once", async () => {
    const { calls, streamSimple } = speaker("hello from mine");
    const { agent, pi, models, of } = await hosted({ cwd: project.root });
    const base = { api: "mine-api", baseUrl: "http://x", apiKey: "the-key" };
    pi.registerProvider("mine", { ...base, streamSimple, models: [MODEL] });
    const model = models.find("mine", "m1");
    expect(model && (await pi.setModel(model))).toBe(true);
    expect(of("model_select").at(-1)).toMatchObject({ model: { provider: "mine" }, source: "set" });
    await agent.prompt("hi");
    expect(textsOf(storedMessages(agent))).toEqual(["hi", "hello from mine"]);
    expect(calls).toMatchObject([{ prompt: ["hi"], options: { apiKey: "the-key" } }]);
    expect(of("message_update").length).toBeGreaterThan(0);
  });

  it("registered while loading can be named when the agent is made", async () => {
    const { streamSimple } = speaker("named");
    const base = { api: "mine-api", baseUrl: "http://x", apiKey: "k" };
    const agent = await createAgent({
      cwd: project.root,
      models: new Models({ env: {} }),
      model: "mine/m1",
      extensions: [
        {
          name: "provider",
          factory: (pi) => pi.registerProvider("mine", { ...base, streamSimple, models: [MODEL] }),
        },
      ],
    });
    await agent.prompt("hi");
    expect(textsOf(storedMessages(agent))).toEqual(["hi", "named"]);
    await agent.dispose();
  });

  it("with a login: without one it cannot be chosen, with one its key is used", async () => {
    const { calls, streamSimple } = speaker("hello");
    const models = new Models({ env: {}, authFile: join(project.home, "auth.json") });
    const agent = await createAgent({
      cwd: project.root,
      models,
      extensions: [
        {
          name: "provider",
          factory: (pi) =>
            pi.registerProvider("club", {
              api: "club-api",
              baseUrl: "http://x",
              streamSimple,
              models: [MODEL],
              oauth: {
                name: "The Club",
                login: async () => ({ access: "a1", refresh: "r", expires: Date.now() + 1e6 }),
                refreshToken: async (credentials) => credentials,
                getApiKey: ({ access }) => `key-${access}`,
              },
            }),
        },
      ],
    });
    const model = models.find("club", "m1");
    if (!model) throw new Error("The model is not listed.");
    expect(await agent.setModel(model)).toBe(false);
    await models.login("club", { onAuth: () => {}, onPrompt: async () => "" });
    expect(await agent.setModel(model)).toBe(true);
    await agent.prompt("hi");
    expect(calls).toMatchObject([{ options: { apiKey: "key-a1" } }]);
    await agent.dispose();
  });

  it("that does not say that it starts is still announced", async () => {
    const { agent, pi, models, seen } = await hosted({ cwd: project.root });
    pi.registerProvider("abrupt", {
      api: "abrupt-api",
      baseUrl: "http://x",
      apiKey: "k",
      streamSimple: (model) => {
        const stream = createAssistantMessageEventStream();
        const message = answer(model, "hi");
        stream.push({ type: "text_delta", contentIndex: 0, delta: "hi", partial: message });
        stream.push({ type: "done", reason: "stop", message });
        return stream;
      },
      models: [MODEL],
    });
    const model = models.find("abrupt", "m1");
    expect(model && (await pi.setModel(model))).toBe(true);
    await agent.prompt("hi");
    const types = seen.map(({ type }) => type).filter((type) => type.startsWith("message_"));
    expect(types.slice(2)).toEqual(["message_start", "message_update", "message_end"]);
  });

  it("that throws is a failed answer, not the end", async () => {
    const { agent, pi, models } = await hosted({ cwd: project.root });
    pi.registerProvider("bad", {
      api: "bad-api",
      baseUrl: "http://x",
      apiKey: "k",
      streamSimple: () => {
        throw new Error("no such endpoint");
      },
      models: [MODEL],
    });
    const model = models.find("bad", "m1");
    expect(model && (await pi.setModel(model))).toBe(true);
    await agent.prompt("hi");
    expect(storedMessages(agent).at(-1)).toMatchObject({
      stopReason: "error",
      errorMessage: "no such endpoint",
    });
    expect(agent.lastError).toBeUndefined();
  });

  it("that is taken back is gone", async () => {
    const { pi, models } = await hosted({ cwd: project.root });
    pi.registerProvider("mine", { api: "a", baseUrl: "http://x", apiKey: "k", models: [MODEL] });
    expect(models.find("mine", "m1")).toBeDefined();
    pi.unregisterProvider("mine");
    expect(models.find("mine", "m1")).toBeUndefined();
  });
});

describe("the choice of a model", () => {
  it("is kept in the session and takes effect with the next call of a running turn", async () => {
    const { streamSimple } = speaker("I took over");
    const { agent, pi, models } = await hosted({
      cwd: project.root,
      turns: [{ toolCalls: [{ name: "ls" }] }],
      on: {
        tool_result: async () => {
          const model = models.find("mine", "m1");
          if (model) await pi.setModel(model);
        },
      },
      extend: (pi) =>
        pi.registerProvider("mine", {
          api: "mine-api",
          baseUrl: "http://x",
          apiKey: "k",
          streamSimple,
          models: [MODEL],
        }),
    });
    await agent.prompt("hi");
    expect(textsOf(storedMessages(agent)).at(-1)).toBe("I took over");
    const change = { type: "model_change", provider: "mine", modelId: "m1" };
    expect(agent.session.getEntries()).toContainEqual(expect.objectContaining(change));
  });
});

describe("an agent without a model", () => {
  it("says so instead of hanging", async () => {
    const agent = await createAgent({ cwd: project.root, models: new Models({ env: {} }) });
    await returns("prompt", agent.prompt("go"));
    expect(String(agent.lastError)).toContain("No model");
    expect(agent.isIdle).toBe(true);
    await agent.dispose();
  });
});
