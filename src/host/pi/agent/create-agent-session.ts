import type { Model, ThinkingLevel } from "../../../events/index.ts";
import {
  type ExtensionAPI,
  type ExtensionContext,
  type ExtensionUIContext,
  type Host,
  headlessUI,
  type InlineExtension,
  type ToolDefinition,
} from "../../../extensions/index.ts";
import { isRecord } from "../../../values/index.ts";
import { createAgent } from "../../create-agent.ts";
import { Models } from "../../models/index.ts";
import { SessionManager } from "../sessions/session-manager.ts";
import { SettingsManager } from "../settings/settings-manager.ts";
import { AgentSession } from "./agent-session.ts";
import { loadResult } from "./loaded-extension.ts";
import type { ModelRuntime } from "./model-registry.ts";
import { DefaultResourceLoader } from "./resource-loader.ts";

export interface CreateAgentSessionOptions {
  readonly cwd?: string;
  readonly agentDir?: string;
  readonly model?: Model;
  readonly thinkingLevel?: ThinkingLevel;
  readonly modelRegistry?: Models;
  readonly modelRuntime?: ModelRuntime;
  /** All that are to be active, by name; Pi once took the tools themselves. */
  readonly tools?: readonly (string | ToolDefinition)[];
  readonly noTools?: "all" | "builtin";
  readonly excludeTools?: readonly string[];
  readonly customTools?: readonly ToolDefinition[];
  readonly resourceLoader?: DefaultResourceLoader;
  readonly sessionManager?: SessionManager;
  readonly settingsManager?: SettingsManager;
}

/** Makes sessions for an extension: with the models of the agent it runs in, unless it brings its own. */
export function sessionMaker(host: (method: string) => Host) {
  return async (options: CreateAgentSessionOptions = {}) => {
    const cwd = options.cwd ?? options.sessionManager?.getCwd() ?? host("createAgentSession").cwd;
    const models = modelsFor(options, host);
    const settingsManager = options.settingsManager ?? SettingsManager.create(cwd);
    const sessionManager = options.sessionManager ?? SessionManager.create(cwd);
    const resourceLoader = options.resourceLoader ?? new DefaultResourceLoader({ cwd });
    if (!options.resourceLoader) await resourceLoader.reload();
    const bindings: { uiContext?: ExtensionUIContext } = {};
    const inside: { pi?: ExtensionAPI; ctx?: ExtensionContext } = {};
    const { tools = [], customTools = [] } = options;
    const brought = [...customTools, ...tools.filter((tool) => typeof tool !== "string")];
    const model = options.model ?? restoredModel(sessionManager, models) ?? hostModel(host, models);
    const append = resourceLoader.getAppendSystemPrompt().join("\n\n");
    const systemPrompt = resourceLoader.getSystemPrompt();
    const agent = await createAgent({
      cwd,
      models,
      ...(model && { model }),
      ...(options.thinkingLevel && { thinkingLevel: options.thinkingLevel }),
      session: sessionManager.writable,
      extensions: [...resourceLoader.origins, insideOf(inside, brought)],
      ...(isOwn(resourceLoader) && { resources: resourceLoader.resources }),
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(append !== "" && { appendSystemPrompt: append }),
      compaction: numbers(settingsManager.getCompactionSettings()),
      retry: numbers(settingsManager.getRetrySettings()),
      ui: forwardingUI(() => bindings.uiContext),
      isAttended: () => bindings.uiContext !== undefined,
      watchdog: false,
    });
    const { pi, ctx } = inside;
    if (!pi || !ctx) throw new Error("The session was not started.");
    pi.setActiveTools(activeTools(options, pi));
    const live = {
      get pi() {
        return inside.pi ?? pi;
      },
      get ctx() {
        return inside.ctx ?? ctx;
      },
    };
    const parts = { agent, models, sessionManager, settingsManager, resourceLoader, bindings };
    const session = new AgentSession({ ...parts, inside: live });
    return { session, extensionsResult: loadResult(agent.extensions) };
  };
}

/** An extension may bring a loader of its own making. */
function isOwn(loader: DefaultResourceLoader): boolean {
  return loader instanceof DefaultResourceLoader;
}

/** The way into the session: an extension of it, loaded anew with every session that replaces it. */
function insideOf(
  inside: { pi?: ExtensionAPI; ctx?: ExtensionContext },
  tools: readonly ToolDefinition[],
): InlineExtension {
  return {
    name: "pi-session",
    factory: (pi) => {
      inside.pi = pi;
      for (const tool of tools) pi.registerTool(tool);
      pi.on("session_start", (_event, ctx) => {
        inside.ctx = ctx;
      });
    },
  };
}

function activeTools(options: CreateAgentSessionOptions, pi: ExtensionAPI): string[] {
  const { tools, noTools, excludeTools = [], customTools = [] } = options;
  const all = pi.getAllTools();
  const own = new Set(customTools.map(({ name }) => name));
  const asked = tools?.map((tool) => (typeof tool === "string" ? tool : tool.name));
  const isWanted = ({ name, sourceInfo }: (typeof all)[number]) => {
    if (excludeTools.includes(name)) return false;
    if (asked) return asked.includes(name) || own.has(name);
    if (noTools === "all") return false;
    return noTools !== "builtin" || sourceInfo.source !== "builtin";
  };
  return all.filter(isWanted).map(({ name }) => name);
}

function modelsFor(options: CreateAgentSessionOptions, host: (method: string) => Host): Models {
  const given = options.modelRegistry ?? options.modelRuntime?.registry;
  if (given) return given;
  const { modelRegistry } = host("createAgentSession");
  // The models of a foreign agent are its own: then the user's keys are what there is.
  return modelRegistry instanceof Models ? modelRegistry : new Models();
}

function restoredModel(manager: SessionManager, models: Models): Model | undefined {
  const { model } = manager.buildSessionContext();
  return model ? models.find(model.provider, model.modelId) : undefined;
}

function hostModel(host: (method: string) => Host, models: Models): Model | undefined {
  const { model } = host("createAgentSession");
  return model && models.hasConfiguredAuth(model) ? model : models.defaultModel();
}

/** What is a number or a switch in settings that anybody may have written. */
function numbers(settings: Readonly<Record<string, unknown>>): Record<string, never> {
  const kept = Object.entries(settings).filter(
    ([, value]) => typeof value === "number" || typeof value === "boolean",
  );
  return Object.fromEntries(kept) as Record<string, never>;
}

/** Asks whoever is there at the moment. */
function forwardingUI(current: () => ExtensionUIContext | undefined): ExtensionUIContext {
  const nobody = headlessUI();
  return new Proxy(nobody, {
    get: (_target, key) => {
      const ui = current() ?? nobody;
      const value: unknown = Reflect.get(ui, key);
      return typeof value === "function" && isRecord(ui) ? value.bind(ui) : value;
    },
  });
}
