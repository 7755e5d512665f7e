import type { Model } from "../../events/index.ts";
import type { Host } from "../api/host.ts";
import type { ExtensionUIContext } from "../api/ui.ts";

export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface StubHost extends Writable<Host> {
  /** Everything that was asked of it, as `[method, ...arguments]`. */
  readonly calls: unknown[][];
  /** The arguments of every call of one method. */
  callsOf(method: keyof Host): unknown[][];
}

/** A host that does nothing, answers with something recognisable and remembers what it was asked. */
export function stubHost(changes: Partial<Host> = {}): StubHost {
  const calls: unknown[][] = [];
  const noting =
    <T>(method: string, answer?: T) =>
    (...args: unknown[]) => {
      calls.push([method, ...args]);
      return answer as T;
    };
  const done = { cancelled: false };
  return {
    calls,
    callsOf: (method) => calls.filter(([name]) => name === method).map(([, ...args]) => args),
    cwd: "/host",
    mode: "test",
    hasUI: true,
    ui: stubUi(),
    sessionManager: unused("sessionManager"),
    modelRegistry: unused("modelRegistry"),
    model: undefined,
    scopedModels: [],
    signal: undefined,
    projectTrusted: true,
    sessions: {
      list: noting("list", Promise.resolve([])),
      hold: noting("hold", Promise.resolve()),
      release: noting("release", Promise.resolve()),
      say: noting("say", Promise.resolve("next step" as const)),
      interrupt: noting("interrupt", Promise.resolve("next step" as const)),
    },
    can: () => true,
    isIdle: () => true,
    abort: noting("abort"),
    hasPendingMessages: () => false,
    shutdown: noting("shutdown"),
    getContextUsage: () => undefined,
    compact: noting("compact"),
    getSystemPrompt: () => "You are a stub.",
    getSystemPromptOptions: () => unused("systemPromptOptions"),
    getSettings: () => ({ theme: "dark" }),
    sendMessage: noting("sendMessage"),
    sendUserMessage: noting("sendUserMessage"),
    appendEntry: noting("appendEntry"),
    setSessionName: noting("setSessionName"),
    getSessionName: () => "the session",
    setLabel: noting("setLabel"),
    getActiveTools: () => ["read"],
    setActiveTools: noting("setActiveTools"),
    getBuiltinTools: () => [],
    getOtherCommands: () => [],
    setModel: noting("setModel", Promise.resolve(true)),
    getThinkingLevel: () => "low",
    setThinkingLevel: noting("setThinkingLevel"),
    registerProvider: noting("registerProvider"),
    unregisterProvider: noting("unregisterProvider"),
    registerVirtualModel: noting("registerVirtualModel"),
    unregisterVirtualModel: noting("unregisterVirtualModel"),
    mcpServersChanged: noting("mcpServersChanged"),
    callableTools: () => [],
    executeTool: async (...args) => {
      calls.push(["executeTool", ...args]);
      const toolCall = {
        type: "toolCall" as const,
        id: `${args[0]}/1`,
        name: args[1],
        arguments: {},
      };
      return { toolCall, result: { content: [] }, isError: false };
    },
    toolsChanged: noting("toolsChanged"),
    log: noting("log"),
    waitForIdle: noting("waitForIdle", Promise.resolve()),
    newSession: noting("newSession", Promise.resolve(done)),
    fork: noting("fork", Promise.resolve(done)),
    navigateTree: noting("navigateTree", Promise.resolve(done)),
    switchSession: noting("switchSession", Promise.resolve(done)),
    reload: noting("reload", Promise.resolve()),
    ...changes,
  };
}

export function stubUi(changes: Partial<ExtensionUIContext> = {}): ExtensionUIContext {
  return Object.assign(unused<ExtensionUIContext>("ui"), changes);
}

/** Something a test does not expect to be used: using it fails the test. */
export function unused<T extends object>(what: string): T {
  return new Proxy({} as T, {
    get(target, key) {
      if (Reflect.has(target, key)) return Reflect.get(target, key);
      throw new Error(`${what}.${String(key)} is not part of this test.`);
    },
  });
}

export function model(changes: Partial<Model> = {}): Model {
  return {
    id: "m-1",
    name: "Model One",
    api: "stub-api",
    provider: "stub",
    baseUrl: "http://localhost",
    reasoning: true,
    input: ["text"],
    cost: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    contextWindow: 1000,
    maxTokens: 100,
    ...changes,
  };
}
