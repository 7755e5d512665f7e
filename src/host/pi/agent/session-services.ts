import { seamHome } from "../../../settings/index.ts";
import type { Models } from "../../models/index.ts";
import { SessionManager } from "../sessions/session-manager.ts";
import { SettingsManager } from "../settings/settings-manager.ts";
import type { AgentSession } from "./agent-session.ts";
import { AuthStorage } from "./auth-storage.ts";
import type { CreateAgentSessionOptions, sessionMaker } from "./create-agent-session.ts";
import { ModelRegistry, ModelRuntime } from "./model-registry.ts";
import { DefaultResourceLoader, type ResourceLoaderOptions } from "./resource-loader.ts";

type Diagnostic = { type: "info" | "warning" | "error"; message: string };

/** What sessions of one folder share. */
interface Services {
  readonly cwd: string;
  readonly agentDir: string;
  readonly authStorage: AuthStorage;
  readonly modelRegistry: Models;
  readonly modelRuntime: ModelRuntime;
  readonly settingsManager: SettingsManager;
  readonly resourceLoader: DefaultResourceLoader;
  readonly diagnostics: Diagnostic[];
}

interface ServicesOptions {
  readonly cwd: string;
  readonly agentDir?: string;
  readonly settingsManager?: SettingsManager;
  readonly authStorage?: AuthStorage;
  readonly modelRegistry?: Models;
  readonly modelRuntime?: ModelRuntime;
  readonly resourceLoaderOptions?: Omit<ResourceLoaderOptions, "cwd">;
}

export async function createAgentSessionServices(options: ServicesOptions): Promise<Services> {
  const { cwd, agentDir = seamHome() } = options;
  const resourceLoader = new DefaultResourceLoader({
    cwd,
    agentDir,
    ...options.resourceLoaderOptions,
  });
  await resourceLoader.reload();
  const modelRuntime = options.modelRuntime ?? (await ModelRuntime.create());
  const { authStorage = AuthStorage.create() } = options;
  // Whoever brings keys of one's own wants models that are asked with them.
  const own = options.authStorage && ModelRegistry.create(options.authStorage);
  return {
    cwd,
    agentDir,
    authStorage,
    modelRegistry: options.modelRegistry ?? own ?? modelRuntime.registry,
    modelRuntime,
    settingsManager: options.settingsManager ?? SettingsManager.create(cwd, agentDir),
    resourceLoader,
    diagnostics: resourceLoader.getSkills().diagnostics,
  };
}

type Made = Awaited<ReturnType<ReturnType<typeof sessionMaker>>> & {
  services: Services;
  diagnostics?: Diagnostic[];
};
type Maker = (options: {
  cwd: string;
  agentDir: string;
  sessionManager: SessionManager;
}) => Promise<Made>;

/** A session, and another one in its place when the user goes elsewhere. */
export class AgentSessionRuntime {
  #made: Made;
  readonly #make: Maker;
  #rebind: ((session: AgentSession) => Promise<void>) | undefined;
  #beforeInvalidate: (() => void) | undefined;

  constructor(made: Made, make: Maker) {
    this.#made = made;
    this.#make = make;
  }

  get session(): AgentSession {
    return this.#made.session;
  }
  get services(): Services {
    return this.#made.services;
  }
  get cwd(): string {
    return this.services.cwd;
  }
  get diagnostics(): readonly Diagnostic[] {
    return this.#made.diagnostics ?? this.services.diagnostics;
  }
  setRebindSession(rebind?: (session: AgentSession) => Promise<void>): void {
    this.#rebind = rebind;
  }
  setBeforeSessionInvalidate(told?: () => void): void {
    this.#beforeInvalidate = told;
  }

  switchSession = (path: string) => this.#replace(SessionManager.open(path));
  async newSession(
    options: { parentSession?: string; setup?: (manager: SessionManager) => Promise<void> } = {},
  ) {
    const { parentSession, setup } = options;
    const { cwd } = this;
    const dir = this.session.sessionManager.getSessionDir() || undefined;
    const manager = this.session.sessionManager.isPersisted()
      ? SessionManager.create(cwd, dir, parentSession === undefined ? {} : { parentSession })
      : SessionManager.inMemory(cwd);
    await setup?.(manager);
    return this.#replace(manager);
  }
  async fork(entryId: string, options: { position?: "before" | "at" } = {}) {
    const manager = this.session.sessionManager;
    const entry = manager.getEntry(entryId);
    const target = options.position === "at" ? entryId : (entry?.parentId ?? null);
    const text = this.session
      .getUserMessagesForForking()
      .find((one) => one.entryId === entryId)?.text;
    if (target === null) manager.newSession();
    else manager.createBranchedSession(target);
    const { cancelled } = await this.#replace(manager);
    return { cancelled, ...(text !== undefined && { selectedText: text }) };
  }
  importFromJsonl = (path: string) => this.#replace(SessionManager.forkFrom(path, this.cwd));
  async dispose(): Promise<void> {
    this.#beforeInvalidate?.();
    this.session.dispose();
  }

  async #replace(sessionManager: SessionManager): Promise<{ cancelled: boolean }> {
    await this.session.abort();
    this.#beforeInvalidate?.();
    this.session.dispose();
    const { cwd, agentDir } = this.services;
    this.#made = await this.#make({ cwd, agentDir, sessionManager });
    await this.#rebind?.(this.session);
    return { cancelled: false };
  }
}

export async function createAgentSessionRuntime(
  make: Maker,
  options: { cwd: string; agentDir: string; sessionManager: SessionManager },
): Promise<AgentSessionRuntime> {
  return new AgentSessionRuntime(await make(options), make);
}

/** Makes a session from what was prepared for its folder. */
export function fromServices(create: ReturnType<typeof sessionMaker>) {
  return async ({ services, ...options }: { services: Services } & CreateAgentSessionOptions) => {
    const { cwd, modelRegistry, modelRuntime, settingsManager, resourceLoader } = services;
    return create({
      ...options,
      cwd,
      modelRegistry,
      modelRuntime,
      settingsManager,
      resourceLoader,
    });
  };
}

/** A registered tool as Pi's agent takes it: its context comes from whoever runs the extensions. */
export function wrapRegisteredTool(
  registered: { definition: { execute(...args: unknown[]): unknown } },
  runner: { createContext(): unknown },
) {
  const { definition } = registered;
  return {
    ...definition,
    execute: (id: string, params: unknown, signal?: AbortSignal, onUpdate?: unknown) =>
      definition.execute(id, params, signal, onUpdate, runner.createContext()),
  };
}

export const wrapRegisteredTools = (
  tools: readonly Parameters<typeof wrapRegisteredTool>[0][],
  runner: { createContext(): unknown },
) => tools.map((tool) => wrapRegisteredTool(tool, runner));
