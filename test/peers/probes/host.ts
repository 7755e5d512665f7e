import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { call, get, type Module, make, only, own, type Probes, tell, type Use } from "./kit.ts";
import { answering, STREAMS } from "./loopback.ts";

const at = 1_700_000_000_000;
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const user = (text: string) => ({ role: "user", content: [{ type: "text", text }], timestamp: at });
const assistant = (text: string) => ({
  role: "assistant",
  content: [{ type: "text", text }],
  api: "openai-completions",
  provider: "probe",
  model: "m",
  usage: { ...NO_COST, totalTokens: 0, cost: { ...NO_COST, total: 0 } },
  stopReason: "stop",
  timestamp: at,
});
const folder = () => mkdtempSync(join(tmpdir(), "seam-probe-"));
const model = (url: string) => ({
  id: "m",
  name: "M",
  api: "openai-completions",
  provider: "probe",
  baseUrl: `${url}/v1`,
  reasoning: false,
  input: ["text"],
  cost: NO_COST,
  contextWindow: 100_000,
  maxTokens: 1_000,
});
const CHAT = STREAMS["openai-completions"];
const LATER = "1.5.0 takes its models and keys in another form";

/** What a session is made of, in memory: the key of a model on this machine is all it needs. */
function parts(module: Module, url: string) {
  const cwd = folder();
  const authStorage = tell(module.AuthStorage, "inMemory");
  tell(authStorage, "setRuntimeApiKey", "probe", "k");
  const modelRegistry = tell(module.ModelRegistry, "inMemory", authStorage);
  const settingsManager = tell(module.SettingsManager, "inMemory");
  return {
    cwd,
    agentDir: join(cwd, "agent"),
    authStorage,
    modelRegistry,
    settingsManager,
    model: model(url),
    sessionManager: tell(module.SessionManager, "inMemory", cwd),
  };
}

/** A session that has heard one prompt, and what became of it. */
const prompted =
  (makeSession: (value: unknown, module: Module, url: string) => Promise<unknown>): Use =>
  (value, module) =>
    answering(CHAT, async (url, requests) => {
      const session = await makeSession(value, module, url);
      const events: unknown[] = [];
      tell(session, "subscribe", (event: object) => void events.push(get(event, "type")));
      await tell(session, "prompt", "Hello.");
      const messages = get(session, "messages") as object[];
      const kinds = ["agent_start", "message_end", "turn_end", "agent_end"];
      const seen = [
        messages.map((one) => get(one, "role")),
        tell(session, "getLastAssistantText"),
        kinds.map((kind) => events.includes(kind)),
        requests.map(({ key }) => key),
      ];
      tell(session, "dispose");
      return seen;
    });

const services = async (module: Module, url: string) => {
  const { cwd, agentDir, authStorage, modelRegistry, settingsManager } = parts(module, url);
  return call(module.createAgentSessionServices, {
    cwd,
    agentDir,
    authStorage,
    modelRegistry,
    settingsManager,
  });
};

const runtime = async (module: Module, url: string) => {
  const { cwd, agentDir, sessionManager } = parts(module, url);
  const build = async (options: object) => {
    const made = await services(module, url);
    const session = await call(module.createAgentSessionFromServices, {
      services: made,
      sessionManager: get(options, "sessionManager"),
      model: model(url),
    });
    return { ...Object(session), services: made, diagnostics: [] };
  };
  return call(module.createAgentSessionRuntime, build, { cwd, agentDir, sessionManager });
};

/** What a program writes to its output while it does something. */
async function written(work: () => Promise<unknown>): Promise<string> {
  const real = process.stdout.write.bind(process.stdout);
  let text = "";
  Reflect.set(process.stdout, "write", (part: string | Uint8Array, ...rest: unknown[]) => {
    text += String(part);
    for (const one of rest) if (typeof one === "function") one();
    return true;
  });
  try {
    await work();
  } finally {
    Reflect.set(process.stdout, "write", real);
  }
  return text;
}

/** What a program answers that reads these lines until there are no more. */
async function spokenTo(lines: readonly string[], work: () => unknown): Promise<string> {
  const real = Object.getOwnPropertyDescriptor(process, "stdin");
  const input = new PassThrough();
  Object.defineProperty(process, "stdin", { value: input, configurable: true });
  const exit = process.exit;
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  Reflect.set(process, "exit", leave);
  try {
    return await written(async () => {
      const running = Promise.resolve(work()).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const line of lines) input.write(`${line}\n`);
      await new Promise((resolve) => setTimeout(resolve, 300));
      input.end();
      await Promise.race([running, left, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    });
  } finally {
    Reflect.set(process, "exit", exit);
    if (real) Object.defineProperty(process, "stdin", real);
  }
}

const backend =
  (made: (value: unknown) => unknown): Use =>
  (value) => {
    const storage = made(value);
    tell(storage, "withLock", () => ({
      result: undefined,
      next: '{"p":{"type":"api_key","key":"k"}}',
    }));
    return tell(storage, "withLock", (current: string) => ({ result: JSON.parse(current) }));
  };

export const HOST: Probes = {
  AuthStorage: async (value) => {
    const auth = tell(value, "inMemory", { p: { type: "api_key", key: "k" } });
    tell(auth, "setRuntimeApiKey", "q", "r");
    const there = [
      tell(auth, "list"),
      tell(auth, "has", "p"),
      tell(auth, "hasAuth", "q"),
      await tell(auth, "getApiKey", "p"),
      await tell(auth, "getApiKey", "q"),
    ];
    tell(auth, "remove", "p");
    return [...there, tell(auth, "has", "p")];
  },
  InMemoryAuthStorageBackend: backend((value) => make(value)),
  FileAuthStorageBackend: backend((value) => make(value, join(folder(), "auth.json"))),
  ModelRegistry: only("0.74.2", LATER, async (value, { AuthStorage }) => {
    const auth = tell(AuthStorage, "inMemory");
    const registry = tell(value, "inMemory", auth);
    const { provider: _, ...one } = model("http://127.0.0.1:9");
    tell(registry, "registerProvider", "probe", {
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: "k",
      api: "openai-completions",
      models: [one],
    });
    const found = tell(registry, "find", "probe", "m");
    const auths = await tell(registry, "getApiKeyAndHeaders", found);
    tell(registry, "unregisterProvider", "probe");
    return [
      get(found, "name"),
      get(auths, "ok"),
      get(auths, "apiKey"),
      tell(registry, "find", "probe", "m"),
      tell(registry, "getError"),
    ];
  }),
  SettingsManager: (value) => {
    const settings = tell(value, "inMemory", { defaultModel: "m", compaction: { enabled: false } });
    tell(settings, "setSteeringMode", "all");
    return [
      tell(settings, "getDefaultModel"),
      tell(settings, "getCompactionEnabled"),
      tell(settings, "getSteeringMode"),
      tell(settings, "getRetryEnabled"),
      tell(settings, "getCompactionReserveTokens"),
    ];
  },
  SessionManager: (value) => {
    const dir = folder();
    const session = tell(value, "create", dir, dir);
    const one = tell(session, "appendMessage", user("One."));
    tell(session, "appendMessage", assistant("Two."));
    tell(session, "appendSessionInfo", "Named");
    tell(session, "appendLabelChange", one, "here");
    const file = String(tell(session, "getSessionFile"));
    const again = tell(value, "open", file, dir);
    tell(again, "branch", one);
    tell(again, "appendMessage", assistant("Other."));
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return [
      existsSync(file),
      lines.map((line) => get(JSON.parse(line), "type")),
      (tell(again, "getEntries") as object[]).map((entry) => get(entry, "type")),
      tell(again, "getSessionName"),
      tell(again, "getLabel", one),
      (tell(again, "getBranch") as object[]).length,
      (get(tell(again, "buildSessionContext"), "messages") as object[]).map((message) =>
        get(message, "role"),
      ),
      tell(again, "getCwd") === dir,
    ];
  },
  DefaultResourceLoader: async (value, { SettingsManager }) => {
    const cwd = folder();
    mkdirSync(join(cwd, "skills/dig"), { recursive: true });
    writeFileSync(
      join(cwd, "skills/dig/SKILL.md"),
      "---\nname: dig\ndescription: Digs.\n---\nDig.\n",
    );
    writeFileSync(join(cwd, "AGENTS.md"), "Be brief.");
    writeFileSync(
      join(cwd, "go.ts"),
      "export default (pi) => { pi.registerCommand('go', { handler: async () => {} }); };",
    );
    const loader = make(value, {
      cwd,
      agentDir: join(cwd, "agent"),
      settingsManager: tell(SettingsManager, "inMemory"),
      additionalSkillPaths: [join(cwd, "skills")],
      additionalExtensionPaths: [join(cwd, "go.ts")],
      systemPrompt: "Be kind.",
    });
    await tell(loader, "reload");
    const named = (list: unknown) => (list as object[]).map((one) => get(one, "name"));
    const { extensions, errors } = Object(tell(loader, "getExtensions"));
    const { agentsFiles } = Object(tell(loader, "getAgentsFiles"));
    return [
      named(get(tell(loader, "getSkills"), "skills")).filter((name) => name === "dig"),
      // In Seam they run when a session is made of them: only then it is known what they register.
      (extensions as object[]).map((one) => String(get(one, "path")).replace(cwd, "")),
      errors,
      (agentsFiles as object[])
        .map((one) => get(one, "content"))
        .filter((text) => text === "Be brief."),
      tell(loader, "getSystemPrompt"),
    ];
  },
  createAgentSession: only(
    "0.74.2",
    LATER,
    prompted(async (value, module, url) => get(await call(value, parts(module, url)), "session")),
  ),
  AgentSession: only(
    "0.74.2",
    LATER,
    prompted(async (value, module, url) => {
      const { session } = Object(await call(module.createAgentSession, parts(module, url)));
      if (!(session instanceof (value as unknown as new () => object)))
        throw new Error("It is another class.");
      return session;
    }),
  ),
  createAgentSessionServices: only("0.74.2", LATER, async (_, module) => {
    const made = await services(module, "http://127.0.0.1:9");
    return [
      "cwd",
      "authStorage",
      "modelRegistry",
      "resourceLoader",
      "settingsManager",
      "diagnostics",
    ].map((name) => get(made, name) !== undefined);
  }),
  createAgentSessionFromServices: only(
    "0.74.2",
    LATER,
    prompted(async (value, module, url) => {
      const { cwd } = parts(module, url);
      const sessionManager = tell(module.SessionManager, "inMemory", cwd);
      const made = await call(value, {
        services: await services(module, url),
        sessionManager,
        model: model(url),
      });
      return get(made, "session");
    }),
  ),
  createAgentSessionRuntime: only(
    "0.74.2",
    LATER,
    prompted(async (_, module, url) => get(await runtime(module, url), "session")),
  ),
  AgentSessionRuntime: only("0.74.2", LATER, async (_, module) => {
    const made = await runtime(module, "http://127.0.0.1:9");
    const before = get(get(made, "session"), "sessionId");
    const { cancelled } = Object(await tell(made, "newSession"));
    const after = get(get(made, "session"), "sessionId");
    await tell(made, "dispose");
    return [cancelled, typeof before, before === after];
  }),
  runPrintMode: only("0.74.2", LATER, (value, module) =>
    answering(CHAT, async (url) => {
      const made = await runtime(module, url);
      let code: unknown;
      const text = await written(async () => {
        code = await call(value, made, { mode: "text", initialMessage: "Hello." });
      });
      return [text.trim(), code];
    }),
  ),
  runRpcMode: only("0.74.2", LATER, (value, module) =>
    answering(CHAT, async (url) => {
      const made = await runtime(module, url);
      const text = await spokenTo(['{"id":"1","type":"get_state"}'], () => call(value, made));
      const [answer] = text.split("\n").flatMap((line) => {
        const said = line.startsWith("{") ? (JSON.parse(line) as object) : {};
        return get(said, "type") === "response" ? [said] : [];
      });
      const { isStreaming, messageCount } = Object(get(answer, "data"));
      return [get(answer, "id"), get(answer, "success"), isStreaming, messageCount];
    }),
  ),
  RpcClient: own("it starts Seam's own program", [false, "Hi."], async (value) => {
    const cwd = folder();
    writeFileSync(join(cwd, "says.json"), '[{ "text": "Hi." }]');
    const client = make(value, { cwd, args: ["--model", "scripted:says.json", "--no-session"] });
    await tell(client, "start");
    try {
      const { isStreaming } = Object(await tell(client, "getState"));
      await tell(client, "promptAndWait", "Hello.");
      return [isStreaming, await tell(client, "getLastAssistantText")];
    } finally {
      await tell(client, "stop");
    }
  }),
  resolveCliModel: own(
    "the list of models is Seam's",
    ["openai", "high", true],
    (value, { ModelRegistry, AuthStorage, getModels }) => {
      void getModels;
      const modelRegistry = tell(ModelRegistry, "inMemory", tell(AuthStorage, "inMemory"));
      const known = (tell(modelRegistry, "getAll") as { provider: string; id: string }[]).find(
        ({ provider }) => provider === "openai",
      );
      const found = call(value, { cliModel: `openai/${known?.id}:high`, modelRegistry });
      const missing = call(value, { cliModel: "nobody/nothing-at-all", modelRegistry });
      return [
        get(get(found, "model"), "provider"),
        get(found, "thinkingLevel"),
        typeof get(missing, "error") === "string",
      ];
    },
  ),
  resolveModelScopeWithDiagnostics: own(
    "the list of models is Seam's",
    true,
    async (value, { ModelRuntime }) => {
      const made = await call(value, ["openai/*"], await tell(ModelRuntime, "create"));
      return JSON.stringify(made).includes("openai");
    },
  ),
  compact: (value) =>
    answering(CHAT, async (url) => {
      const preparation = {
        firstKeptEntryId: "3",
        messagesToSummarize: [user("One."), assistant("Two.")],
        turnPrefixMessages: [],
        isSplitTurn: false,
        tokensBefore: 100,
        fileOps: { read: new Set(["a.ts"]), written: new Set(), edited: new Set() },
        settings: { enabled: true, reserveTokens: 1_000, keepRecentTokens: 10 },
      };
      const made = await call(value, preparation, model(url), "k");
      return [
        String(get(made, "summary")).startsWith("Hi."),
        get(made, "firstKeptEntryId"),
        get(made, "tokensBefore"),
        get(made, "details"),
      ];
    }),
  generateSummaryWithUsage: (value) =>
    answering(CHAT, async (url) => {
      const made = await call(value, [user("One.")], model(url), 1_000, "k");
      return [get(made, "text") ?? get(made, "summary"), get(get(made, "usage"), "input")];
    }),
  ModelRuntime: own("models and keys are Seam's own", true, async (value) => {
    const made = await tell(value, "create", { authPath: join(folder(), "auth.json") });
    return Array.isArray(await tell(made, "getAvailable"));
  }),
  CredentialSynchronizationError: (value) => {
    const error = make(value, "p", "login", undefined, { cause: new Error("why") });
    return [error instanceof Error, get(error, "providerId"), get(error, "operation")];
  },
  ProjectTrustStore: own("what is trusted is kept by Seam, by content", [null, null], (value) => {
    const store = make(value, folder());
    const cwd = folder();
    return [tell(store, "get", cwd), tell(store, "getEntry", cwd)];
  }),
};
