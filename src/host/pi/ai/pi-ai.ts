import type { Model } from "../../../events/index.ts";
import type {
  ModelRegistry,
  ModelRequest,
  ModelRequestOptions,
} from "../../../extensions/index.ts";
import { builtinProviders } from "../../models/provider.ts";
import * as diagnostics from "./diagnostics.ts";
import * as faux from "./faux.ts";
import * as identity from "./identity.ts";
import * as json from "./json.ts";
import * as providing from "./providers.ts";
import * as retry from "./retry.ts";
import * as transcript from "./transcript.ts";

/** What `registerApiProvider` and its siblings of the light module are. */
interface Light {
  registerApiProvider(provider: { api: string; streamSimple?: Stream; stream?: Stream }): void;
  getApiProvider(api: string): unknown;
}
type Stream = ReturnType<typeof faux.createFauxCore>["stream"];

/** The apis Seam speaks, with the names that Pi has for them. */
const APIS = {
  Anthropic: "anthropic-messages",
  Google: "google-generative-ai",
  OpenAICompletions: "openai-completions",
  OpenAIResponses: "openai-responses",
} as const;

/** What `pi-ai` has beyond what needs no agent. */
export function piAi(registry: () => ModelRegistry, light: Light): object {
  const { providers, ...rest } = providing;
  const own: readonly string[] = Object.values(APIS);
  const registered = new Map<string, string | undefined>();
  const through =
    (api: string) => (model: Model, request: ModelRequest, options?: ModelRequestOptions) =>
      registry().stream({ ...model, api }, request, options);
  const streams = Object.fromEntries(
    Object.entries(APIS).map(([name, api]) => [`stream${name}`, through(api)]),
  );
  const registerApiProvider = (
    provider: Parameters<Light["registerApiProvider"]>[0],
    source?: string,
  ) => {
    registered.set(provider.api, source);
    light.registerApiProvider(provider);
  };
  const forget = (api: string) => {
    registered.delete(api);
    // Without functions of its own an api is the agent's again.
    light.registerApiProvider({ api });
  };
  /** Those that extensions brought, and those that Seam speaks itself. */
  const getApiProvider = (api: string) => {
    if (registered.has(api)) return light.getApiProvider(api);
    const run = through(api);
    return own.includes(api) ? { api, stream: run, streamSimple: run } : undefined;
  };
  return {
    ...diagnostics,
    ...faux,
    ...identity,
    ...json,
    ...rest,
    ...retry,
    ...transcript,
    ...providers(registry),
    ...imageApis(),
    ...streams,
    ...keysIn(process.env),
    registerApiProvider,
    getApiProvider,
    getApiProviders: () => [...new Set([...own, ...registered.keys()])].map(getApiProvider),
    unregisterApiProviders: (source: string) => {
      for (const [api, by] of [...registered]) if (by === source) forget(api);
    },
    clearApiProviders: () => {
      for (const api of [...registered.keys()]) forget(api);
    },
    resetApiProviders: () => {
      for (const api of [...registered.keys()]) forget(api);
    },
    /** Those of Seam are there already. */
    registerBuiltInApiProviders: () => {},
    registerFauxProvider: (options?: Parameters<typeof faux.createFauxCore>[0]) => {
      const core = faux.createFauxCore(options);
      registerApiProvider(core, "faux");
      return { ...core, unregister: () => forget(core.api) };
    },
  };
}

/** Which variables of the environment hold keys. */
function keysIn(env: NodeJS.ProcessEnv) {
  const variables = (provider: string) =>
    builtinProviders(env)
      .filter(({ name }) => name === provider)
      .flatMap(({ keyVariables }) => keyVariables);
  const findEnvKeys = (provider: string) => {
    const set = variables(provider).filter((name) => (env[name] ?? "") !== "");
    return set.length > 0 ? set : undefined;
  };
  return {
    findEnvKeys,
    getEnvApiKey: (provider: string) => {
      const [name] = findEnvKeys(provider) ?? [];
      return name === undefined ? undefined : env[name];
    },
  };
}

/** The variables from which Pi's Anthropic provider takes its login. */
const ANTHROPIC_VARIABLES = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_FEDERATION_RULE_ID",
  "ANTHROPIC_IDENTITY_TOKEN_FILE",
  "ANTHROPIC_OAUTH_TOKEN",
  "ANTHROPIC_ORGANIZATION_ID",
  "ANTHROPIC_SERVICE_ACCOUNT_ID",
  "ANTHROPIC_WORKSPACE_ID",
];

/** What `pi-ai/compat` has beside all that `pi-ai` has. */
export function compat(registry: () => ModelRegistry): object {
  const api = (name: string) => () => {
    const stream = (model: Model, request: ModelRequest, options?: ModelRequestOptions) =>
      registry().stream({ ...model, api: name }, request, options);
    return { stream, streamSimple: stream };
  };
  return {
    ...Object.fromEntries(ANTHROPIC_VARIABLES.map((name) => [`${name}_ENV`, name])),
    anthropicMessagesApi: api("anthropic-messages"),
    googleGenerativeAIApi: api("google-generative-ai"),
    openAICompletionsApi: api("openai-completions"),
    openAIResponsesApi: api("openai-responses"),
  };
}

type Generate = (model: { api: string }, context: unknown, options?: unknown) => Promise<unknown>;
interface ImagesApi {
  readonly api: string;
  readonly generateImages: Generate;
}

/** Models that make pictures: Seam brings none, an extension may. */
function imageApis() {
  const known = new Map<string, ImagesApi>();
  const generateImages: Generate = async (model, context, options) => {
    const api = known.get(model.api);
    if (!api) throw new Error(`Nobody registered the api "${model.api}" for pictures.`);
    return api.generateImages(model, context, options);
  };
  return {
    generateImages,
    registerImagesApiProvider: (api: ImagesApi) => void known.set(api.api, api),
    getImagesApiProvider: (api: string) => known.get(api),
    getImageProviders: () => [] as string[],
    getImageModels: (_provider: string) => [] as object[],
    getImageModel: (_provider: string, _id: string) => undefined,
  };
}
