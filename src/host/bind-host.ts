import type {
  ExtensionUIContext,
  Host,
  ScopedModel,
  ToolCallOutcome,
} from "../extensions/index.ts";
import { compact, tokensInContext, windowOf } from "./compact.ts";
import type { Core } from "./core.ts";
import type { Emitter } from "./emitter.ts";
import { modelsInScope } from "./models/index.ts";
import { SettingsManager } from "./pi/settings/settings-manager.ts";
import { isProjectTrusted } from "./project-trust.ts";
import { systemPromptOptions } from "./system-prompt-options.ts";
import { seen } from "./tools/loadout.ts";

/** What the agent does for its extensions, as far as it is not in the core. */
export interface HostActions
  extends Pick<
    Host,
    | "sendMessage"
    | "sendUserMessage"
    | "setModel"
    | "setThinkingLevel"
    | "shutdown"
    | "waitForIdle"
    | "newSession"
    | "fork"
    | "navigateTree"
    | "switchSession"
    | "reload"
  > {}

/** Fills in everything that stands behind the extension API. */
export function bindHost(core: Core, actions: HostActions): void {
  const host: Host = {
    cwd: core.cwd,
    mode: core.mode,
    get hasUI() {
      return core.hasUI;
    },
    ui: announced(core.ui, core.emitter),
    modelRegistry: core.models,
    get projectTrusted() {
      return isProjectTrusted(core);
    },
    sessions: core.otherSessions,
    get sessionManager() {
      return core.session.tree;
    },
    get model() {
      return core.session.model;
    },
    get scopedModels() {
      return scopedModels(core);
    },
    get signal() {
      return core.run.running?.controller.signal;
    },
    can: () => true,
    isIdle: () => core.run.running === undefined,
    abort: () => core.run.running?.controller.abort(),
    hasPendingMessages: () => core.queue.pending > 0,
    getContextUsage: () => contextUsage(core),
    compact: (options = {}) => {
      const { customInstructions, onComplete, onError } = options;
      const instructions = customInstructions === undefined ? {} : { customInstructions };
      void compact(core, "manual", instructions).then((outcome) => {
        if (outcome.result) onComplete?.(outcome.result);
        else onError?.(new Error(outcome.error ?? "The compaction failed."));
      });
    },
    getSystemPrompt: () => core.run.systemPrompt,
    getSystemPromptOptions: () => systemPromptOptions(core),
    getSettings: () => SettingsManager.create(core.cwd).getSettings(),
    appendEntry: (customType, data) => void core.session.tree.appendCustomEntry(customType, data),
    setSessionName: (name) => {
      core.session.tree.appendSessionName(name);
      core.emitter.emit({ type: "session_info_changed", name });
    },
    getSessionName: () => core.session.tree.getSessionName(),
    setLabel: (entryId, label) => void core.session.tree.appendLabel(entryId, label),
    getActiveTools: () => [...core.tools.active().keys()],
    setActiveTools: (names) => core.tools.activate(names),
    getBuiltinTools: () => core.tools.builtin(),
    getOtherCommands: () => otherCommands(core),
    getThinkingLevel: () => core.session.thinkingLevel,
    registerProvider: (name, config) => core.models.register(name, config),
    unregisterProvider: (name) => core.models.unregister(name),
    registerVirtualModel: (model) => core.models.registerVirtual(model),
    unregisterVirtualModel: (provider, id) => core.models.unregisterVirtual(provider, id),
    mcpServersChanged: (servers) => {
      core.mcp.change(servers);
      const told = servers.map(({ config, ...server }) => ({ ...server, config: { ...config } }));
      core.emitter.emit({ type: "mcp_servers_change", servers: told });
    },
    callableTools: () => seen(core.tools.callable()),
    executeTool: (callerId, name, args, options) =>
      core.run.callTool?.(callerId, name, args, options) ?? notNow(callerId, name, args),
    toolsChanged: () => core.tools.changed(),
    log: core.log,
    ...actions,
  };
  core.session.set.bind(host);
  core.mcp.change(core.session.set.mcpServers());
}

/** A tool calls another one although no turn is going on: it kept its context too long. */
async function notNow(callerId: string, name: string, args: unknown): Promise<ToolCallOutcome> {
  const text = "The call was not made: the turn is over.";
  return {
    toolCall: { type: "toolCall", id: `${callerId}/0`, name, arguments: Object(args) },
    result: { content: [{ type: "text", text }], isError: true },
    isError: true,
  };
}

/** The models that the setting `enabledModels` names, if there is one. */
function scopedModels({ cwd, models }: Core): ScopedModel[] {
  const patterns: unknown = SettingsManager.create(cwd).value("EnabledModels");
  if (!Array.isArray(patterns)) return [];
  return modelsInScope(patterns.map(String), models).scopedModels;
}

/** How full the model's context is. */
export function contextUsage(core: Core) {
  const contextWindow = windowOf(core);
  if (contextWindow === 0) return undefined;
  const tokens = tokensInContext(core);
  return { tokens, contextWindow, percent: (tokens / contextWindow) * 100 };
}

/** Commands that do not come from an extension: prompts, skills. */
export function otherCommands(core: Core): ReturnType<Host["getOtherCommands"]> {
  const { skills, prompts } = core.session.resources;
  return [
    ...prompts.map(({ name, description, sourceInfo }) => ({
      name,
      description,
      source: "prompt" as const,
      sourceInfo,
    })),
    ...skills.map(({ name, description, sourceInfo }) => ({
      name: `skill:${name}`,
      description,
      source: "skill" as const,
      sourceInfo,
    })),
  ];
}

const DIALOGS = ["select", "confirm", "input", "editor", "custom"] as const;

/** The same user interface; that somebody waits for an answer is told, once for dialogs in dialogs. */
function announced(ui: ExtensionUIContext, emitter: Emitter): ExtensionUIContext {
  let open = 0;
  const asking = <Args extends unknown[], T>(
    kind: (typeof DIALOGS)[number],
    ask: (...args: Args) => Promise<T>,
  ) => {
    return async (...args: Args): Promise<T> => {
      const title = typeof args[0] === "string" ? { title: args[0] } : {};
      const about = { reason: "ui_prompt" as const, kind, ...title };
      if (open++ === 0) emitter.emit({ type: "ui_prompt_start", ...about });
      try {
        return await ask(...args);
      } finally {
        if (--open === 0) emitter.emit({ type: "ui_prompt_end", ...about });
      }
    };
  };
  const dialogs = new Map<PropertyKey, unknown>([
    ["select", asking("select", (...args: Parameters<typeof ui.select>) => ui.select(...args))],
    ["confirm", asking("confirm", (...args: Parameters<typeof ui.confirm>) => ui.confirm(...args))],
    ["input", asking("input", (...args: Parameters<typeof ui.input>) => ui.input(...args))],
    ["editor", asking("editor", (...args: Parameters<typeof ui.editor>) => ui.editor(...args))],
    ["custom", asking("custom", (...args: Parameters<typeof ui.custom>) => ui.custom(...args))],
  ]);
  return new Proxy(ui, {
    get: (target, key) => {
      const own: unknown = dialogs.get(key) ?? Reflect.get(target, key, target);
      // The method is bound, so that a host may implement its UI as a class.
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}
