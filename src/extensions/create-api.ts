import { inspect } from "node:util";
import * as typebox from "typebox";
import type { HandlerOptions } from "../dispatch/index.ts";
import { SeamError } from "../errors/index.ts";
import { explainUnknownEvent, isEventName } from "../events/index.ts";
import type { EventBus, ExtensionAPI, Logger, SlashCommandInfo } from "./api/extension-api.ts";
import type { OtherSessions, SessionRef } from "./api/other-sessions.ts";
import type { ToolDefinition, ToolInfo } from "./api/tool-definition.ts";
import {
  checkCommand,
  checkFlag,
  checkSession,
  checkShortcut,
  checkText,
  checkTool,
  jsonSchemaOf,
} from "./check-registration.ts";
import { drawApi } from "./draw-api.ts";
import { exec } from "./exec.ts";
import { type Extension, sourceInfoOf } from "./extension.ts";
import type { ExtensionSet } from "./extension-set.ts";
import type { LoadingExtension } from "./loading-extension.ts";
import { mcpApi } from "./mcp-api.ts";
import { modelApi } from "./model-api.ts";
import type { Runtime } from "./runtime.ts";

/** A subscription made while the factory runs: kept back until the factory has succeeded. */
export interface PendingHandler {
  readonly event: string;
  readonly handler: unknown;
  readonly options: HandlerOptions | undefined;
  cancelled: boolean;
  undo?: () => void;
}

export interface Making {
  readonly extension: Extension;
  readonly member: LoadingExtension;
  readonly runtime: Runtime;
  readonly set: ExtensionSet;
  readonly bus: EventBus;
  /** Undefined once the extension is part of the session. */
  pending: PendingHandler[] | undefined;
}

/** The `pi` of one extension. */
export function createApi(making: Making): ExtensionAPI {
  const { extension, runtime, set, bus } = making;
  const { path } = extension;
  const active = () => runtime.assertActive(path);
  const host = (method: string) => runtime.host(path, `pi.${method}`);

  const api: ExtensionAPI = {
    on(event, handler, options) {
      active();
      return subscribe(making, event, handler, options);
    },
    registerTool(tool) {
      active();
      // Those of oh-my-pi may describe their parameters with zod.
      const parameters = jsonSchemaOf(tool?.parameters);
      const described = parameters === tool?.parameters ? tool : withParameters(tool, parameters);
      checkTool(path, described);
      // Tools of all shapes live in one map; what they take is checked when they are called.
      extension.tools.set(tool.name, described as unknown as ToolDefinition);
      if (!making.pending) set.registered("tool", tool.name, extension);
      if (runtime.bound) host("registerTool").toolsChanged();
    },
    registerCommand(name, options) {
      active();
      checkCommand(path, name, options);
      extension.commands.set(name, options);
      if (!making.pending) set.registered("command", name, extension);
    },
    registerShortcut(shortcut, options) {
      active();
      checkShortcut(path, shortcut, options);
      extension.shortcuts.set(shortcut, options);
      if (!making.pending) set.registered("shortcut", shortcut, extension);
    },
    registerFlag(name, options) {
      active();
      checkFlag(path, name, options);
      extension.flags.set(name, options);
      if (!making.pending) set.registered("flag", name, extension);
    },
    getFlag(name) {
      active();
      const flag = extension.flags.get(name);
      if (!flag) return undefined;
      // While loading, the extension is not part of the set yet.
      return set.flagValue(name) ?? flag.default;
    },
    ...drawApi(making, active),
    ...modelApi(making, active, host),
    ...mcpApi(making, active, host),

    sendMessage: (message, options) => {
      const to = host("sendMessage");
      set.contain(path, () => to.sendMessage(message, options));
    },
    sendUserMessage: (content, options) => {
      const to = host("sendUserMessage");
      set.contain(path, () => to.sendUserMessage(content, options));
    },
    appendEntry: (customType, data) => host("appendEntry").appendEntry(customType, data),
    setSessionName: (name) => host("setSessionName").setSessionName(name),
    getSessionName: () => host("getSessionName").getSessionName(),
    setLabel: (...given: [entryId: string, label?: string]) => {
      const [text, label] = given;
      // With one argument it is oh-my-pi's: the name of the extension, which is known while it loads.
      if (given.length === 1) {
        active();
        extension.label = text;
      } else {
        host("setLabel").setLabel(text, label);
      }
    },
    exec: (command, args, options) => {
      active();
      return exec(command, args, runtime.cwd, options);
    },
    getActiveTools: () => host("getActiveTools").getActiveTools(),
    getAllTools: () => allTools(set, host("getAllTools").getBuiltinTools()),
    setActiveTools: (names) => host("setActiveTools").setActiveTools(names),
    getCommands: () => [...commandsOf(set), ...host("getCommands").getOtherCommands()],
    getExtensions: () => {
      host("getExtensions");
      return set.extensions.map((one) => ({ name: one.name, sourceInfo: sourceInfoOf(one) }));
    },
    getSettings: () => structuredClone(host("getSettings").getSettings()),
    setModel: async (model) => host("setModel").setModel(model),
    getThinkingLevel: () => host("getThinkingLevel").getThinkingLevel(),
    setThinkingLevel: (level) => host("setThinkingLevel").setThinkingLevel(level),

    typebox,
    get zod() {
      return making.member.zod;
    },
    sessions: sessionsOf(making),
    events: {
      emit: (channel, data) => {
        active();
        bus.emit(channel, data);
      },
      on: (channel, handler) => {
        active();
        return bus.on(channel, handler);
      },
    },
    logger: loggerOf(making),
  };
  return api;
}

/** The same tool; its methods still find what they keep on it. */
function withParameters<Tool extends object>(tool: Tool, parameters: unknown): Tool {
  return Object.create(tool, { parameters: { value: parameters, enumerable: true } }) as Tool;
}

function subscribe(
  making: Making,
  name: unknown,
  handler: unknown,
  options: HandlerOptions | undefined,
): () => void {
  const { extension, runtime } = making;
  const { path, critical } = extension;
  const event = String(name);
  if (!isEventName(event)) {
    const hint = explainUnknownEvent(event);
    const error = new SeamError("SEAM_EVENT_UNKNOWN", { path, event, hint });
    // A gate that never hears of anything is worse than one that is missing.
    if (critical) throw error;
    runtime.report("warning", error, path, { event });
    return () => {};
  }
  if (typeof handler !== "function") {
    throw new SeamError("SEAM_HANDLER_NOT_FUNCTION", { path, event });
  }
  extension.events.add(event);
  if (!making.pending) return runtime.dispatcher.on(extension.owner, event, handler, options);
  const pending: PendingHandler = { event, handler, options, cancelled: false };
  making.pending.push(pending);
  return () => {
    pending.cancelled = true;
    pending.undo?.();
  };
}

function allTools(set: ExtensionSet, builtin: ToolInfo[]): ToolInfo[] {
  const own = set.tools().map(({ tool, extension }) => ({
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    ...(tool.promptGuidelines && { promptGuidelines: [...tool.promptGuidelines] }),
    exposure: tool.exposure ?? "direct",
    ...(tool.namespace && { namespace: tool.namespace }),
    ...(tool.annotations && { annotations: tool.annotations }),
    ...(tool.reachesTools && { reachesTools: tool.reachesTools }),
    sourceInfo: sourceInfoOf(extension),
  }));
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...builtin.filter(({ name }) => !names.has(name))];
}

/** The commands of extensions, as they are listed. */
export function commandsOf(set: ExtensionSet): SlashCommandInfo[] {
  return set.commands().map(({ invocationName, options, extension }) => ({
    name: invocationName,
    ...(options.description !== undefined && { description: options.description }),
    source: "extension",
    sourceInfo: sourceInfoOf(extension),
  }));
}

function sessionsOf({ extension, runtime }: Making): OtherSessions {
  const { path, name } = extension;
  const host = (method: string) => runtime.host(path, `pi.sessions.${method}`).sessions;
  const checked = (session: unknown): SessionRef => {
    checkSession(path, session);
    return { agent: session.agent, session: session.session };
  };
  return {
    list: async () => host("list").list(),
    hold: async (session) => host("hold").hold(checked(session), name),
    release: async (session) => host("release").release(checked(session), name),
    say: async (session, text) => {
      const to = host("say");
      checkText(path, text);
      return to.say(checked(session), text, name);
    },
    interrupt: async (session) => host("interrupt").interrupt(checked(session), name),
  };
}

function loggerOf({ extension, runtime }: Making): Logger {
  const log =
    (level: keyof Logger) =>
    (...parts: unknown[]) => {
      if (!runtime.bound) return;
      const text = parts.map((part) => (typeof part === "string" ? part : inspect(part))).join(" ");
      runtime.host(extension.path, "pi.logger").log(level, `${extension.name}: ${text}`);
    };
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}
