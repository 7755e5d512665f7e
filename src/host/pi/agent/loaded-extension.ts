import { messageOf } from "../../../errors/index.ts";
import {
  type Extension,
  type ExtensionSet,
  findExtensions,
  type InlineExtension,
  loadExtensions,
  type Source,
} from "../../../extensions/index.ts";
import { noteLentGates } from "../../../protection/index.ts";
import { seamHome } from "../../../settings/index.ts";
import { piModules } from "../pi-modules.ts";

/** An extension in the form Pi's own functions hand it around. */
export interface LoadedExtension {
  path: string;
  resolvedPath: string;
  handlers: Map<string, unknown[]>;
  tools: Map<string, unknown>;
  messageRenderers: Map<string, unknown>;
  commands: Map<string, unknown>;
  flags: Map<string, unknown>;
  shortcuts: Map<string, unknown>;
}

/** One that was found and did not run yet. */
export function listedExtension(origin: Source | InlineExtension): LoadedExtension {
  const path = "path" in origin ? origin.path : `<${origin.name}>`;
  return {
    path,
    resolvedPath: path,
    handlers: new Map(),
    tools: new Map(),
    messageRenderers: new Map(),
    commands: new Map(),
    flags: new Map(),
    shortcuts: new Map(),
  };
}

function loadedExtension(extension: Extension): LoadedExtension {
  const { path, events, tools, renderers, commands, flags, shortcuts } = extension;
  const named = <T extends object>(map: Map<string, T>) =>
    new Map([...map].map(([name, value]) => [name, { name, extensionPath: path, ...value }]));
  return {
    path,
    resolvedPath: path,
    handlers: new Map([...events].map((event) => [event, []])),
    tools: new Map(
      [...tools].map(([name, definition]) => [name, { definition, extensionPath: path }]),
    ),
    messageRenderers: new Map(renderers),
    commands: named(commands),
    flags: named(flags),
    shortcuts: named(shortcuts),
  };
}

/** What of a set of extensions Pi's functions return. */
export function loadResult(set: ExtensionSet) {
  return {
    extensions: set.extensions.map(loadedExtension),
    errors: set.failures.map(({ path, problem }) => ({ path, error: problem.error.message })),
    runtime: createExtensionRuntime(set),
  };
}

/** What extensions can do with a session once there is one. */
const ACTIONS = [
  "sendMessage",
  "sendUserMessage",
  "appendEntry",
  "setSessionName",
  "getSessionName",
  "setLabel",
  "getActiveTools",
  "getAllTools",
  "setActiveTools",
  "getCommands",
  "getThinkingLevel",
  "setThinkingLevel",
] as const;

/** The state extensions of one session share. Before there is a session its actions only throw. */
export function createExtensionRuntime(set?: ExtensionSet) {
  const flagValues = new Map<string, boolean | string>();
  let stale: string | undefined;
  const notYet = (): never => {
    throw new Error("There is no session yet: actions cannot be used while an extension loads.");
  };
  return {
    ...Object.fromEntries(ACTIONS.map((name) => [name, notYet])),
    /** A tool may be registered while an extension loads: there is nobody to tell of it yet. */
    refreshTools: () => {},
    setModel: async () => notYet(),
    flagValues: {
      get: (name: string) => flagValues.get(name) ?? set?.flagValue(name),
      has: (name: string) => flagValues.has(name),
      set: (name: string, value: boolean | string) => {
        flagValues.set(name, value);
        set?.setFlag(name, value);
      },
    },
    pendingProviderRegistrations: [] as { name: string; config: unknown }[],
    assertActive: () => {
      if (stale !== undefined) throw new Error(stale);
    },
    invalidate: (message = "The session of this extension is over.") => {
      stale ??= message;
      set?.dispose();
    },
  };
}

/** Loads extensions from the usual places and from paths, without a session around them. */
export async function discoverAndLoadExtensions(paths: readonly string[], cwd: string) {
  try {
    noteLentGates(seamHome(), cwd);
    const { sources } = findExtensions({ cwd, paths });
    return loadResult(await loadExtensions({ cwd, sources, modules: piModules }));
  } catch (thrown) {
    const runtime = createExtensionRuntime();
    return { extensions: [], errors: [{ path: cwd, error: messageOf(thrown) }], runtime };
  }
}
