/** The published Pi's own agent, with Seam's scripted model behind it. */
import { pathToFileURL } from "node:url";
import type { Model } from "../../src/events/index.ts";
import type { ModelRequest, ModelRequestOptions } from "../../src/extensions/index.ts";
import type { Models } from "../../src/host/models/index.ts";
import { PI_ROOT } from "../../test/peers/pi.ts";

const PI = `${pathToFileURL(PI_ROOT).href}/dist/index.js`;
const PI_AI = `${pathToFileURL(PI_ROOT).href}/../pi-ai/dist/index.js`;

interface PiRoom {
  createAgentSession(options: object): Promise<{ readonly session: PiSession }>;
  readonly AuthStorage: { inMemory(data: object): object };
  readonly ModelRegistry: { inMemory(auth: object): object };
  readonly SessionManager: { inMemory(cwd: string): object };
  readonly SettingsManager: { inMemory(): object };
  readonly DefaultResourceLoader: new (options: object) => { reload(): Promise<void> };
}

interface PiAiRoom {
  registerApiProvider(provider: object, sourceId: string): void;
}

export interface PiSession {
  readonly messages: readonly unknown[];
  prompt(text: string): Promise<void>;
  subscribe(listener: (event: PiEvent) => void): () => void;
  dispose(): void;
}

interface PiEvent {
  readonly type: string;
  readonly assistantMessageEvent?: { readonly type: string };
}

const pi: PiRoom = await import(PI);
const piAi: PiAiRoom = await import(PI_AI);

/** A session in memory, without extensions. It asks `models`, which speak Pi's stream protocol. */
export async function piSession(cwd: string, models: Models, model: Model): Promise<PiSession> {
  const stream = (_: unknown, request: ModelRequest, options: ModelRequestOptions) =>
    models.stream(model, request, options);
  piAi.registerApiProvider({ api: model.api, stream, streamSimple: stream }, "bench");
  const auth = pi.AuthStorage.inMemory({ [model.provider]: { type: "api_key", key: "none" } });
  const settingsManager = pi.SettingsManager.inMemory();
  const resourceLoader = new pi.DefaultResourceLoader({
    cwd,
    agentDir: cwd,
    settingsManager,
    noExtensions: true,
    noSkills: true,
    noPromptTemplates: true,
    noThemes: true,
    noContextFiles: true,
  });
  await resourceLoader.reload();
  const { session } = await pi.createAgentSession({
    cwd,
    agentDir: cwd,
    authStorage: auth,
    modelRegistry: pi.ModelRegistry.inMemory(auth),
    settingsManager,
    resourceLoader,
    sessionManager: pi.SessionManager.inMemory(cwd),
    model,
    thinkingLevel: "off",
  });
  return session;
}
