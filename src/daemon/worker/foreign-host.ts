import { contextText } from "../../dispatch/index.ts";
import { SeamError } from "../../errors/index.ts";
import type { EventName } from "../../events/index.ts";
import type { Host, ModelRegistry } from "../../extensions/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { daemonPaths } from "../daemon-paths.ts";
import { machineSessions } from "../machine-sessions.ts";
import { ForeignSession } from "./foreign-session.ts";
import type { ForeignUI } from "./foreign-ui.ts";
import type { SeatMessage, WorkerTask } from "./protocol.ts";

interface Ways {
  readonly send: (message: SeatMessage) => void;
  readonly ui: Pick<ForeignUI, "ui" | "isAttended">;
  readonly log: Host["log"];
}

/**
 * What stands behind the extension API when the session is another agent's. What that agent
 * cannot be told through its hooks throws, and says so.
 */
export function foreignHost(
  task: WorkerTask,
  state: { readonly idle: boolean },
  { send, ui, log }: Ways,
): Host {
  const { agent, cwd, sessionId, sessionFile, projectTrusted } = task;
  const honoured = new Set<EventName>(task.honoured);
  const session = new ForeignSession({ cwd, sessionId, sessionFile });
  const cannot = (method: string): never => {
    throw new SeamError("SEAM_AGENT_CANNOT", { agent, method });
  };
  const say = (method: string, text: string, now: boolean) => {
    if (!task.listens) cannot(method);
    send({ say: "message", text, now });
  };
  return {
    cwd,
    mode: "hook",
    get hasUI() {
      return ui.isAttended;
    },
    ui: ui.ui,
    sessionManager: session,
    modelRegistry: noModels(cannot),
    model: undefined,
    scopedModels: [],
    signal: undefined,
    projectTrusted,
    sessions: machineSessions(() => daemonPaths(task.home)),

    can: (event) => honoured.has(event),
    isIdle: () => state.idle,
    abort: () => cannot("ctx.abort"),
    hasPendingMessages: () => false,
    shutdown: () => cannot("ctx.shutdown"),
    getContextUsage: () => undefined,
    compact: () => cannot("ctx.compact"),
    getSystemPrompt: () => "",
    getSystemPromptOptions: () => cannot("ctx.getSystemPromptOptions"),
    getSettings: () => ({ ...loadSettings(cwd).settings }),

    sendMessage: ({ content }, options) => {
      const now = options?.triggerTurn === true && options.deliverAs !== "nextTurn";
      say("pi.sendMessage", contextText(content), now);
    },
    sendUserMessage: (content) => say("pi.sendUserMessage", contextText(content), true),
    appendEntry: (customType, data) => session.append(customType, data),
    setSessionName: (name) => session.setName(name),
    getSessionName: () => session.getSessionName(),
    setLabel: () => cannot("pi.setLabel"),
    getActiveTools: () => [],
    setActiveTools: () => cannot("pi.setActiveTools"),
    getBuiltinTools: () => [],
    getOtherCommands: () => [],
    setModel: async () => cannot("pi.setModel"),
    getThinkingLevel: () => "off",
    setThinkingLevel: () => cannot("pi.setThinkingLevel"),
    // Nobody here calls models, so there is nothing to add a provider to; the extension may have
    // other things to do.
    registerProvider: () => {},
    unregisterProvider: () => {},
    registerVirtualModel: () => {},
    unregisterVirtualModel: () => {},
    // The agent's MCP servers are its own as well.
    mcpServersChanged: () => {},
    callableTools: () => [],
    executeTool: async () => cannot("ctx.executeTool"),
    toolsChanged: () => {},
    log,

    waitForIdle: async () => cannot("ctx.waitForIdle"),
    newSession: async () => cannot("ctx.newSession"),
    fork: async () => cannot("ctx.fork"),
    navigateTree: async () => cannot("ctx.navigateTree"),
    switchSession: async () => cannot("ctx.switchSession"),
    reload: async () => cannot("ctx.reload"),
  };
}

/** The agent's models are its own. */
function noModels(cannot: (method: string) => never): ModelRegistry {
  return {
    getAll: () => [],
    getAvailable: () => [],
    find: () => undefined,
    hasConfiguredAuth: () => false,
    getApiKeyAndHeaders: async () => ({ ok: false, error: "The models are the agent's own." }),
    getApiKeyForProvider: async () => undefined,
    getProviderDisplayName: (provider) => provider,
    isUsingOAuth: () => false,
    getProviderAuthStatus: () => ({ configured: false }),
    getError: () => undefined,
    refresh: () => {},
    registerProvider: () => cannot("ctx.modelRegistry.registerProvider"),
    unregisterProvider: () => cannot("ctx.modelRegistry.unregisterProvider"),
    stream: () => cannot("ctx.modelRegistry.stream"),
    streamSimple: () => cannot("ctx.modelRegistry.streamSimple"),
    complete: async () => cannot("ctx.modelRegistry.complete"),
    findOfType: () => undefined,
    classify: async () => cannot("ctx.modelRegistry.classify"),
  };
}
