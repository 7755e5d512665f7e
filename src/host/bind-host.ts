import type { Host } from "../extensions/index.ts";
import { announced } from "./announced-ui.ts";
import { compact, tokensInContext } from "./compact.ts";
import type { Core } from "./core.ts";

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
    projectTrusted: true,
    sessions: core.otherSessions,
    get sessionManager() {
      return core.session.tree;
    },
    get model() {
      return core.session.model;
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
    toolsChanged: () => core.tools.changed(),
    log: core.log,
    ...actions,
  };
  core.session.set.bind(host);
}

/** How full the model's context is. */
export function contextUsage(core: Core) {
  const contextWindow = core.session.model?.contextWindow ?? 0;
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
