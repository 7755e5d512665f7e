import { call, calls, get, make, own, type Probes, tell, type Use } from "./kit.ts";
import { type Api, answering, STREAMS } from "./loopback.ts";

const at = 1_700_000_000_000;
const user = { role: "user", content: "Hello.", timestamp: at };
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const model = (api: string, baseUrl: string, provider = "probe") => ({
  id: "m",
  name: "M",
  api,
  provider,
  baseUrl,
  reasoning: false,
  input: ["text"],
  cost: NO_COST,
  contextWindow: 1_000,
  maxTokens: 100,
});
const tool = (name: string, description = "T") => ({
  name,
  description,
  parameters: { type: "object", properties: {} },
});
const system = (content: string, more: object = {}) => ({
  role: "system",
  content: [{ type: "text", text: content }],
  timestamp: at,
  ...more,
});
const assistant = {
  role: "assistant",
  content: [{ type: "text", text: "Hi." }],
  api: "a",
  provider: "p",
  model: "m",
  usage: { ...NO_COST, totalTokens: 0, cost: { ...NO_COST, total: 0 } },
  stopReason: "stop",
  timestamp: at,
};
const failed = (errorMessage: string) => ({ ...assistant, stopReason: "error", errorMessage });

/** What an answer says, without when and by whom. */
function said(answer: unknown) {
  const { role, content, stopReason, usage, errorMessage } = Object(answer) as Record<
    string,
    unknown
  >;
  const texts = (Array.isArray(content) ? content : []).map((one) => get(one, "text"));
  return {
    role,
    texts,
    stopReason,
    errorMessage,
    input: get(usage, "input"),
    output: get(usage, "output"),
  };
}

/** One of Pi's functions that ask a model over the network, asked on this machine. */
const asks =
  (api: Api, through: (value: unknown) => unknown = (value) => value): Use =>
  (value) =>
    answering(STREAMS[api], async (url, requests) => {
      const base = api === "anthropic-messages" ? url : `${url}/v1`;
      const context = { systemPrompt: "Be brief.", messages: [user] };
      const stream = call(through(value), model(api, base), context, { apiKey: "sk-probe" });
      const kinds: unknown[] = [];
      for await (const event of Object(stream) as AsyncIterable<object>)
        kinds.push(get(event, "type"));
      return [kinds, said(await tell(stream, "result")), requests.map(({ key }) => key)];
    });

const faux: Use = async (value) => {
  const handle = call(value, { api: "faux-probe", provider: "faux-probe" });
  tell(handle, "setResponses", [assistant]);
  return [
    get(handle, "api"),
    get(tell(handle, "getModel"), "api"),
    tell(handle, "getPendingResponseCount"),
  ];
};

/** A model that answers from a list, as 0.74 registers it. */
async function withFaux(
  module: Readonly<Record<string, unknown>>,
  use: (model: unknown) => unknown,
) {
  const handle = call(module.registerFauxProvider, { api: "faux-run", provider: "faux-run" });
  tell(handle, "setResponses", [call(module.fauxAssistantMessage, "Hi.", { timestamp: at })]);
  try {
    return await use(tell(handle, "getModel"));
  } finally {
    tell(handle, "unregister");
  }
}
const context = { messages: [user] };
const streams: Use = (value, module) =>
  withFaux(module, async (one) => said(await tell(call(value, one, context), "result")));
const completes: Use = (value, module) =>
  withFaux(module, async (one) => said(await call(value, one, context)));

const tools = [tool("a"), tool("b")];
const transcript = [
  system("Be brief.", { toolsAdded: tools }),
  user,
  assistant,
  system("Be kind.", { toolsAdded: [tool("c")], toolsRemoved: [{ name: "a" }] }),
  user,
];
const provider = (id = "p") => ({
  id,
  name: "P",
  baseUrl: "http://127.0.0.1:9",
  auth: {},
  models: [model("faux-made", "http://127.0.0.1:9", id)],
  api: { stream: () => {}, streamSimple: () => {} },
});
const withKey = async (value: unknown, name: string) => {
  const before = process.env[name];
  process.env[name] = "sk-probe";
  try {
    return await call(value, "openai");
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
};

export const AI: Probes = {
  EventStream: async (value) => {
    const stream = make(
      value,
      (one: unknown) => one === 3,
      (one: unknown) => one,
    );
    for (const one of [1, 2, 3]) tell(stream, "push", one);
    const seen: unknown[] = [];
    for await (const one of stream as AsyncIterable<unknown>) seen.push(one);
    return [seen, await tell(stream, "result")];
  },
  AssistantMessageEventStream: async (value) => {
    const stream = make(value);
    tell(stream, "push", { type: "done", reason: "stop", message: assistant });
    return said(await tell(stream, "result"));
  },
  createAssistantMessageEventStream: async (value) => {
    const stream = call(value);
    tell(stream, "push", { type: "error", reason: "error", error: failed("no") });
    return said(await tell(stream, "result"));
  },
  InMemoryCredentialStore: async (value) => {
    const store = make(value);
    await tell(store, "modify", "p", async () => ({ type: "api_key", key: "k" }));
    const found = [await tell(store, "read", "p"), await tell(store, "list")];
    await tell(store, "delete", "p");
    return [...found, await tell(store, "read", "p")];
  },
  InMemoryModelsStore: async (value) => {
    const store = make(value);
    await tell(store, "write", "p", { models: [] });
    const found = await tell(store, "read", "p");
    await tell(store, "delete", "p");
    return [found, await tell(store, "read", "p")];
  },
  ModelsError: (value) => {
    const error = make(value, "provider", "It failed.", { cause: "why" });
    return [
      error instanceof Error,
      get(error, "code"),
      get(error, "message"),
      get(error, "name"),
      get(error, "cause"),
    ];
  },
  StreamingJsonParser: (value) => {
    const parser = make(value);
    const changes = ['{"a": [1, "x', 'y"], "b"', ": {}}"].map((part) =>
      tell(parser, "append", part),
    );
    return [changes, tell(parser, "snapshot")];
  },
  ToolCallArgumentsStream: (value) => {
    const stream = make(value);
    const parts = ['{"path": "a', '.ts"}'].map((part) =>
      structuredClone(tell(stream, "append", part)),
    );
    return [parts, get(stream, "text"), tell(stream, "finish")];
  },
  registerApiProvider: async (value, { getApiProvider, unregisterApiProviders, stream }) => {
    const events = (answer: object) => ({
      async *[Symbol.asyncIterator]() {},
      result: async () => answer,
    });
    const run = () => events(assistant);
    call(value, { api: "probe-api", stream: run, streamSimple: run }, "probe");
    const there = get(call(getApiProvider, "probe-api"), "api");
    const answer = await tell(call(stream, model("probe-api", ""), context), "result");
    call(unregisterApiProviders, "probe");
    return [there, said(answer)];
  },
  getApiProvider: (value, { registerApiProvider, unregisterApiProviders }) => {
    call(
      registerApiProvider,
      { api: "probe-api", stream: () => {}, streamSimple: () => {} },
      "probe",
    );
    const there = typeof get(call(value, "probe-api"), "streamSimple");
    call(unregisterApiProviders, "probe");
    return [there, call(value, "nowhere")];
  },
  getApiProviders: (value, { registerApiProvider, unregisterApiProviders }) => {
    call(
      registerApiProvider,
      { api: "probe-api", stream: () => {}, streamSimple: () => {} },
      "probe",
    );
    const apis = (call(value) as object[]).map((one) => get(one, "api"));
    call(unregisterApiProviders, "probe");
    return ["probe-api", "anthropic-messages", "openai-responses"].map((api) => apis.includes(api));
  },
  unregisterApiProviders: (value, { registerApiProvider, getApiProvider }) => {
    call(
      registerApiProvider,
      { api: "probe-api", stream: () => {}, streamSimple: () => {} },
      "probe",
    );
    call(value, "probe");
    return call(getApiProvider, "probe-api") === undefined;
  },
  clearApiProviders: (value, { registerApiProvider, getApiProvider, resetApiProviders }) => {
    call(
      registerApiProvider,
      { api: "probe-api", stream: () => {}, streamSimple: () => {} },
      "probe",
    );
    call(value);
    const gone = call(getApiProvider, "probe-api") === undefined;
    call(resetApiProviders);
    return gone;
  },
  resetApiProviders: (value, { registerApiProvider, getApiProvider }) => {
    call(
      registerApiProvider,
      { api: "probe-api", stream: () => {}, streamSimple: () => {} },
      "probe",
    );
    call(value);
    return call(getApiProvider, "probe-api") === undefined;
  },
  registerBuiltInApiProviders: (value, { getApiProvider }) => {
    call(value);
    return get(call(getApiProvider, "anthropic-messages"), "api");
  },
  findEnvKeys: async (value) => withKey(value, "OPENAI_API_KEY"),
  getEnvApiKey: async (value) => withKey(value, "OPENAI_API_KEY"),
  getModel: own("the list of models is Seam's", "openai", (value, { getModels }) => {
    const [first] = call(getModels, "openai") as { id: string }[];
    return get(call(value, "openai", first?.id), "provider");
  }),
  getModels: own(
    "the list of models is Seam's",
    true,
    (value) => (call(value, "openai") as object[]).length > 0,
  ),
  getProviders: own("the list of models is Seam's", true, (value) =>
    (call(value) as string[]).includes("openai"),
  ),
  getImageModel: calls(["nobody", "nothing"]),
  getImageModels: calls(["nobody"]),
  getImageProviders: own("Seam has no models that make pictures", [], (value) => call(value)),
  registerImagesApiProvider: async (value, { getImagesApiProvider, generateImages }) => {
    const answer = { images: ["a"] };
    call(value, { api: "probe-images", generateImages: async () => answer });
    const made = await call(
      generateImages,
      { api: "probe-images", provider: "p", id: "i" },
      { messages: [] },
    );
    return [get(call(getImagesApiProvider, "probe-images"), "api"), made];
  },
  getImagesApiProvider: calls(["nowhere"]),
  generateImages: async (value, { registerImagesApiProvider }) => {
    call(registerImagesApiProvider, {
      api: "probe-images",
      generateImages: async () => ({ images: [1] }),
    });
    return call(value, { api: "probe-images", provider: "p", id: "i" }, { messages: [] });
  },
  fauxAssistantMessage: calls(
    ["Hi.", { timestamp: at }],
    [[{ type: "text", text: "a" }], { stopReason: "toolUse", timestamp: at }],
  ),
  registerFauxProvider: faux,
  createFauxCore: faux,
  fauxProvider: faux,
  streamAnthropic: asks("anthropic-messages"),
  streamSimpleAnthropic: asks("anthropic-messages"),
  streamGoogle: asks("google-generative-ai"),
  streamSimpleGoogle: asks("google-generative-ai"),
  streamOpenAICompletions: asks("openai-completions"),
  streamSimpleOpenAICompletions: asks("openai-completions"),
  streamOpenAIResponses: asks("openai-responses"),
  streamSimpleOpenAIResponses: asks("openai-responses"),
  anthropicMessagesApi: asks("anthropic-messages", (value) => get(call(value), "streamSimple")),
  googleGenerativeAIApi: asks("google-generative-ai", (value) => get(call(value), "streamSimple")),
  openAICompletionsApi: asks("openai-completions", (value) => get(call(value), "streamSimple")),
  openAIResponsesApi: asks("openai-responses", (value) => get(call(value), "streamSimple")),
  stream: streams,
  streamSimple: streams,
  complete: completes,
  completeSimple: completes,
  registerSessionResourceCleanup: (value, { cleanupSessionResources }) => {
    const cleaned: unknown[] = [];
    const undo = call(value, (id: unknown) => void cleaned.push(id));
    call(cleanupSessionResources, "s1");
    call(undo);
    call(cleanupSessionResources, "s2");
    return cleaned;
  },
  cleanupSessionResources: (value, { registerSessionResourceCleanup }) => {
    const cleaned: unknown[] = [];
    const undo = call(registerSessionResourceCleanup, (id: unknown) => void cleaned.push(id));
    call(value, "s1");
    call(undo);
    return cleaned;
  },
  formatThrownValue: calls([new Error("a")], ["b"], [{ c: 1 }], [undefined]),
  extractDiagnosticError: (value) => {
    const { stack: _, ...rest } = Object(
      call(value, Object.assign(new TypeError("a"), { code: "E1" })),
    );
    return [rest, get(call(value, "b"), "message")];
  },
  createAssistantMessageDiagnostic: (value) => {
    const made = call(value, "kind", new Error("a"), { n: 1 });
    return [
      get(made, "type"),
      typeof get(made, "timestamp"),
      get(get(made, "error"), "message"),
      get(made, "details"),
    ];
  },
  appendAssistantMessageDiagnostic: (value) => {
    const message = { diagnostics: undefined };
    call(value, message, { type: "a", timestamp: 1 });
    call(value, message, { type: "b", timestamp: 2 });
    return message;
  },
  getOverflowPatterns: (value) => {
    const patterns = call(value) as RegExp[];
    return ["prompt is too long: 9 > 8", "exceeds the context window", "fine"].map((text) =>
      patterns.some((one) => one.test(text)),
    );
  },
  lazyStream: async (value) => {
    async function* events() {
      yield { type: "done", reason: "stop", message: assistant };
    }
    const good = call(value, model("a", ""), async () => events());
    const bad = call(value, model("a", ""), async () => {
      throw new Error("no");
    });
    return [said(await tell(good, "result")), said(await tell(bad, "result"))];
  },
  lazyApi: async (value) => {
    const run = () => ({
      async *[Symbol.asyncIterator]() {
        yield { type: "done", reason: "stop", message: assistant };
      },
    });
    const api = call(value, async () => ({ stream: run, streamSimple: run }));
    return said(await tell(tell(api, "streamSimple", model("a", ""), context), "result"));
  },
  defaultProviderAuthContext: async (value) => {
    process.env.SEAM_PROBE_KEY = "sk-probe";
    const auth = call(value);
    const found = [
      await tell(auth, "env", "SEAM_PROBE_KEY"),
      await tell(auth, "fileExists", "/nowhere"),
    ];
    delete process.env.SEAM_PROBE_KEY;
    return found;
  },
  envApiKeyAuth: async (value, { defaultProviderAuthContext }) => {
    process.env.SEAM_PROBE_KEY = "sk-probe";
    const auth = call(value, "P", ["SEAM_PROBE_KEY"]);
    const ctx = call(defaultProviderAuthContext);
    const { signal } = new AbortController();
    const resolved = await tell(auth, "resolve", { ctx, signal, model: model("a", "") });
    delete process.env.SEAM_PROBE_KEY;
    return [get(auth, "name"), resolved];
  },
  lazyOAuth: async (value) => {
    const auth = call(value, {
      name: "P",
      load: async () => ({ name: "P", toAuth: async () => ({ apiKey: "k" }) }),
    });
    return [get(auth, "name"), await tell(auth, "toAuth", { type: "oauth" })];
  },
  getModelType: calls([model("a", "")], [{ ...model("a", ""), type: "image" }]),
  isModelType: calls(
    [model("a", ""), "text"],
    [model("a", ""), "image"],
    [{ ...model("a", ""), type: "image" }, "image"],
  ),
  createModels: async (value, { createProvider }) => {
    const models = call(value);
    tell(models, "setProvider", call(createProvider, provider()));
    const there = [
      (tell(models, "getProviders") as object[]).map((one) => get(one, "id")),
      get(tell(models, "getModel", "p", "m"), "name"),
      tell(models, "getModel", "p", "other"),
    ];
    tell(models, "deleteProvider", "p");
    return [...there, tell(models, "getProviders")];
  },
  createProvider: (value) => {
    const made = call(value, provider("q"));
    return [
      get(made, "id"),
      get(made, "name"),
      (tell(made, "getModels") as object[]).map((one) => get(one, "id")),
    ];
  },
  hasApi: calls([model("a", ""), "a"], [model("a", ""), "b"]),
  mergeClientIdentity: calls(
    [],
    [{ version: "1" }, undefined, { userAgent: "short" }],
    [{ version: "1" }, { version: "2" }],
  ),
  getClientVersion: calls([{ version: "1.2.3" }]),
  formatUserAgent: calls([{ userAgent: { custom: "mine" } }]),
  getAttributionHeaders: calls(
    [
      { provider: "openrouter", baseUrl: "https://openrouter.ai/api/v1" },
      { attribution: { name: "N", url: "https://n.example" } },
    ],
    [{ provider: "openai", baseUrl: "https://api.openai.com/v1" }, { attribution: null }],
  ),
  getOpenCodeSessionHeaders: calls(
    [{ provider: "opencode", baseUrl: "https://opencode.ai/zen/v1" }, "s1"],
    [{ provider: "openai", baseUrl: "https://api.openai.com/v1" }, "s1"],
  ),
  getIdentityHeaders: calls([
    { provider: "openai", baseUrl: "https://api.openai.com/v1" },
    { userAgent: { custom: "mine" }, attribution: null },
  ]),
  withClientIdentity: (value, { createModels, createProvider }) => {
    const models = call(createModels);
    tell(models, "setProvider", call(createProvider, provider()));
    return get(tell(call(value, models, { version: "1" }), "getModel", "p", "m"), "id");
  },
  parseToolCallArguments: calls(['{"a":1}'], ['{"a": "x\ny"}'], [undefined], ["nonsense"]),
  isRecoverableLength: calls(
    [{ ...assistant, stopReason: "length", usage: { ...assistant.usage, output: 10 } }, 100],
    [{ ...assistant, stopReason: "length", usage: { ...assistant.usage, output: 100 } }, 100],
    [assistant, 100],
  ),
  retryDelayMs: calls(
    [{ baseDelayMs: 100 }, 1],
    [{ baseDelayMs: 100 }, 3],
    [{ baseDelayMs: 100_000, maxAgentDelayMs: 150_000 }, 4],
    [{ baseDelayMs: 100_000 }, 4],
  ),
  retryAssistantCall: async (value) => {
    const log: unknown[] = [];
    let times = 0;
    const answer = await call(
      value,
      async () => (times++ === 0 ? failed("503 service unavailable") : assistant),
      { enabled: true, maxRetries: 2, baseDelayMs: 1 },
      undefined,
      {
        onRetryScheduled: (...args: unknown[]) => void log.push(["scheduled", ...args]),
        onRetryAttemptStart: () => void log.push("start"),
        onRetryFinished: (success: boolean, attempt: number) => void log.push([success, attempt]),
      },
    );
    return [said(answer), log, times];
  },
  isRetryableAssistantError: calls(
    [failed("503 service unavailable")],
    [failed("429 too many requests")],
    [failed("overloaded_error")],
    [failed("401 unauthorized")],
    [failed("fetch failed")],
    [failed("insufficient_quota")],
    [assistant],
  ),
  createInitialSystemMessage: (value) => {
    const made = Object(call(value, "Be brief.", tools));
    const { timestamp: _, ...rest } = made;
    return [rest, call(value, undefined, undefined)];
  },
  normalizeContext: (value) => {
    const { messages } = Object(
      call(value, { systemPrompt: "Be brief.", tools, messages: [user] }),
    );
    return (messages as object[]).map((one) => get(one, "role"));
  },
  getInitialSystemMessage: calls([transcript], [[user]]),
  withoutInitialSystemMessage: calls([transcript], [[user]]),
  getCurrentTools: calls([transcript], [[user]]),
  getCurrentSystemMessage: calls([transcript], [[user]]),
  getCurrentSystemPrompt: calls([transcript], [[user]]),
  collapseSystemMessages: calls([{ messages: transcript }], [{ messages: [user] }]),
  resolveTranscript: calls(
    [{ messages: transcript }, true],
    [{ messages: transcript }, false],
    [{ messages: [user] }, undefined],
  ),
  toToolDeclaration: calls([{ ...tool("a"), execute: () => {}, label: "A" }]),
  declarationsEqual: calls([tool("a"), tool("a")], [tool("a"), tool("a", "other")]),
  getToolStateChanges: calls(
    [tools, [tool("b"), tool("c")]],
    [tools, tools],
    [tools, [tool("a", "other"), tool("b")]],
  ),
  getDeclaredTools: calls([transcript]),
  hasToolRedefinitions: calls(
    [transcript],
    [[...transcript, system("x", { toolsAdded: [tool("b", "other")] })]],
  ),
  hasNonAdditiveToolChanges: calls([transcript], [[system("a", { toolsAdded: tools }), user]]),
  resolveTranscriptTools: calls(
    [transcript, "none"],
    [transcript, "additions"],
    [transcript, "changes"],
  ),
  contentText: calls(
    ["a"],
    [
      [
        { type: "text", text: "a" },
        { type: "thinking", thinking: "t" },
        { type: "text", text: "b" },
      ],
    ],
    [
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      " ",
    ],
  ),
  getSystemMessageText: calls([system("Be brief.")]),
  renderSystemMessageUpdate: calls(
    [system("Be brief.", { toolsAdded: tools })],
    [system("", { toolsRemoved: [{ name: "a" }] })],
  ),
  uuidv7: own("it is another one each time", true, (value) =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(
      String(call(value)),
    ),
  ),
};
