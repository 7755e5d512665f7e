import type { HandlerCall } from "../dispatch/index.ts";
import type {
  ExtensionCommandContext,
  ExtensionContext,
  ReplacedSessionContext,
} from "./api/context.ts";
import type { HostDialogOptions } from "./api/host.ts";
import type { ExtensionToolContext } from "./api/tool-context.ts";
import type { DialogOptions, ExtensionUIContext } from "./api/ui.ts";
import type { Runtime } from "./runtime.ts";
import type { ContainedTimers } from "./timers.ts";

interface Belonging {
  readonly path: string;
  readonly runtime: Runtime;
  readonly timers: ContainedTimers;
}

/**
 * The `ctx` of a handler. Everything is looked up when it is used, so a context kept in a
 * variable shows the present and throws once its session is gone. Methods are plain closures:
 * extensions take them out of the object.
 */
export function createContext(
  { path, runtime, timers }: Belonging,
  call: HandlerCall,
): ExtensionContext {
  const host = (method: string) => runtime.host(path, `ctx.${method}`);
  let counted: { of: ExtensionUIContext; ui: ExtensionUIContext } | undefined;
  return {
    get ui() {
      const { ui } = host("ui");
      if (counted?.of !== ui) counted = { of: ui, ui: countingDialogs(ui, call, path) };
      return counted.ui;
    },
    get hasUI() {
      return host("hasUI").hasUI;
    },
    get mode() {
      return host("mode").mode;
    },
    get cwd() {
      return host("cwd").cwd;
    },
    get sessionManager() {
      return host("sessionManager").sessionManager;
    },
    get modelRegistry() {
      return host("modelRegistry").modelRegistry;
    },
    get model() {
      return host("model").model;
    },
    get scopedModels() {
      return host("scopedModels").scopedModels;
    },
    get thinkingLevel() {
      return host("thinkingLevel").getThinkingLevel();
    },
    get signal() {
      const { signal } = host("signal");
      return signal ? AbortSignal.any([signal, call.signal]) : call.signal;
    },
    can: (event) => host("can").can(event),
    isIdle: () => host("isIdle").isIdle(),
    isProjectTrusted: () => host("isProjectTrusted").projectTrusted,
    abort: () => host("abort").abort(),
    hasPendingMessages: () => host("hasPendingMessages").hasPendingMessages(),
    shutdown: () => host("shutdown").shutdown(),
    getContextUsage: () => host("getContextUsage").getContextUsage(),
    compact: (options) => host("compact").compact(options),
    getSystemPrompt: () => host("getSystemPrompt").getSystemPrompt(),
    setTimeout: (run, ms) => {
      runtime.assertActive(path);
      return timers.setTimeout(run, ms);
    },
    setInterval: (run, ms) => {
      runtime.assertActive(path);
      return timers.setInterval(run, ms);
    },
    clearTimer: (timer) => clearTimeout(timer),
  };
}

/** The `ctx` of a command: it may replace the session. */
export function createCommandContext(
  belonging: Belonging,
  call: HandlerCall,
): ExtensionCommandContext {
  const host = (method: string) => belonging.runtime.host(belonging.path, `ctx.${method}`);
  const from = { from: belonging.path };
  return withMembers(createContext(belonging, call), {
    getSystemPromptOptions: () => host("getSystemPromptOptions").getSystemPromptOptions(),
    waitForIdle: () => host("waitForIdle").waitForIdle(),
    newSession: (options) => host("newSession").newSession({ ...options, ...from }),
    fork: (entryId, options) => host("fork").fork(entryId, { ...options, ...from }),
    navigateTree: (targetId, options) => host("navigateTree").navigateTree(targetId, options),
    switchSession: (file, options) =>
      host("switchSession").switchSession(file, { ...options, ...from }),
    reload: () => host("reload").reload(),
  });
}

/** The `ctx` of a tool while it runs: it may call others, with its own signal if it names none. */
export function createToolContext(
  belonging: Belonging,
  call: HandlerCall,
  toolCallId: string,
): ExtensionToolContext {
  const host = (method: string) => belonging.runtime.host(belonging.path, `ctx.${method}`);
  return withMembers(createContext(belonging, call), {
    get tools() {
      return host("tools").callableTools();
    },
    executeTool: (name, args, options = {}) =>
      host("executeTool").executeTool(toolCallId, name, args, { signal: call.signal, ...options }),
  });
}

/** The `ctx` that `withSession` gets: a command's, for the new session. */
export function createReplacedContext(
  belonging: Belonging,
  call: HandlerCall,
): ReplacedSessionContext {
  const host = (method: string) => belonging.runtime.host(belonging.path, `ctx.${method}`);
  return withMembers(createCommandContext(belonging, call), {
    sendMessage: async (message, options) => host("sendMessage").sendMessage(message, options),
    sendUserMessage: async (content, options) =>
      host("sendUserMessage").sendUserMessage(content, options),
  });
}

/** Adds members without reading the getters, which a spread would. */
function withMembers<Base extends object, Wanted extends Base>(
  base: Base,
  members: Omit<Wanted, keyof Base>,
): Wanted {
  return Object.defineProperties(base, Object.getOwnPropertyDescriptors(members)) as Wanted;
}

/** While a person is being asked, the handler's clock stands still; an abort closes the question. */
function countingDialogs(
  ui: ExtensionUIContext,
  call: HandlerCall,
  from: string,
): ExtensionUIContext {
  const waiting = async <T>(answer: () => Promise<T>): Promise<T> => {
    const goOn = call.waitForPerson();
    try {
      return await answer();
    } finally {
      goOn();
    }
  };
  const closing = (options: DialogOptions | undefined): HostDialogOptions => ({
    ...options,
    from,
    signal: options?.signal ? AbortSignal.any([options.signal, call.signal]) : call.signal,
  });
  const dialogs: Partial<ExtensionUIContext> = {
    select: (title, options, opts) => waiting(() => ui.select(title, options, closing(opts))),
    confirm: (title, message, opts) => waiting(() => ui.confirm(title, message, closing(opts))),
    input: (title, placeholder, opts) => waiting(() => ui.input(title, placeholder, closing(opts))),
    editor: (title, prefill, opts) => waiting(() => ui.editor(title, prefill, closing(opts))),
    custom: (factory, options) => waiting(() => ui.custom(factory, options)),
  };
  return new Proxy(ui, {
    get(target, key) {
      const own: unknown = Reflect.get(dialogs, key) ?? Reflect.get(target, key, target);
      // The method is bound, so that a host may implement its UI as a class.
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}
