import type {
  AssistantMessage,
  AssistantMessageEvent,
  Message,
  Model,
  ModelCost,
  ThinkingLevel,
} from "../../events/index.ts";

/** What a model is asked. */
export interface ModelRequest {
  systemPrompt?: string;
  messages: Message[];
  tools?: { name: string; description: string; parameters: unknown }[];
}

/** How a model is asked. */
export interface ModelRequestOptions {
  apiKey?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  temperature?: number;
  maxTokens?: number;
  reasoning?: ThinkingLevel;
  sessionId?: string;
  /** Sees the request as the provider will get it; what it returns takes its place. */
  onPayload?: (payload: unknown, model: Model) => unknown;
  /** Is called when the provider has answered, before the body is read. */
  onResponse?: (
    response: { status: number; headers: Record<string, string> },
    model: Model,
  ) => unknown;
  /** Is called with each event of the provider's stream, parsed, before Seam uses it. */
  onProviderStreamEvent?: (data: unknown, model: Model) => unknown;
  [option: string]: unknown;
}

/** A streamed answer: iterate over it, or wait for the whole. */
export interface AssistantMessageStream extends AsyncIterable<AssistantMessageEvent> {
  result(): Promise<AssistantMessage>;
}

export interface OAuthCredentials {
  access: string;
  refresh: string;
  expires: number;
  [field: string]: unknown;
}

export interface OAuthLoginCallbacks {
  onAuth(info: { url: string; instructions?: string }): void;
  onPrompt(prompt: {
    message: string;
    placeholder?: string;
    allowEmpty?: boolean;
  }): Promise<string>;
  onProgress?(message: string): void;
  /** What the user pastes while the provider waits for the browser to come back by itself. */
  onManualCodeInput?(): Promise<string>;
  /** The id of what the user chose, or undefined. */
  onSelect?(prompt: {
    message: string;
    options: { id: string; label: string }[];
  }): Promise<string | undefined>;
  signal?: AbortSignal;
}

/** A model of a provider that an extension brings. */
export interface ProviderModelConfig {
  /** `chat` if it is left out. */
  type?: "chat" | "classifier" | "image";
  id: string;
  name: string;
  api?: string;
  baseUrl?: string;
  reasoning: boolean;
  thinkingLevelMap?: Model["thinkingLevelMap"];
  input: ("text" | "image")[];
  cost: ModelCost;
  contextWindow: number;
  maxTokens: number;
  headers?: Record<string, string>;
  compat?: Record<string, unknown>;
}

/** A model provider an extension brings. */
export interface ProviderConfig {
  name?: string;
  baseUrl?: string;
  /** The key itself or the name of an environment variable. */
  apiKey?: string;
  api?: string;
  streamSimple?: (
    model: Model,
    context: ModelRequest,
    options?: ModelRequestOptions,
  ) => AssistantMessageStream;
  headers?: Record<string, string>;
  authHeader?: boolean;
  /** Takes the place of all models the provider had. */
  models?: ProviderModelConfig[];
  /** Finds out anew which models there are; what comes back takes the place of `models`. */
  refreshModels?(context: RefreshModelsContext): Promise<ProviderModelConfig[]>;
  /** How classifiers of this provider are asked, by api. */
  classifiers?: Record<string, ProviderClassifier>;
  /** Finds the key when a request is made. */
  resolveAuth?: () => Promise<ResolvedAuth | undefined>;
  oauth?: {
    name: string;
    login(callbacks: OAuthLoginCallbacks): Promise<OAuthCredentials>;
    refreshToken(credentials: OAuthCredentials, signal: AbortSignal): Promise<OAuthCredentials>;
    getApiKey(credentials: OAuthCredentials): string;
    modifyModels?(models: Model[], credentials: OAuthCredentials): Model[];
  };
}

/** What a provider is handed when it is to find its models. */
export interface RefreshModelsContext {
  signal: AbortSignal;
  /** Pi's providers expect it. Seam asks them each time, so there is nothing to publish. */
  publish(change?: unknown): Promise<void>;
}

export interface ResolvedAuth {
  apiKey?: string;
  headers?: Record<string, string>;
}

/** A model that answers questions about a state with probabilities, rather than with text. */
export interface ClassifierModel {
  type: "classifier";
  id: string;
  name: string;
  provider: string;
  api: string;
  baseUrl: string;
  contextWindow?: number;
}

export interface ClassifierResult {
  stopReason: "stop" | "error" | "aborted";
  answers: Record<string, Record<string, unknown>>;
  errorMessage?: string;
}

/** Asks a classifier. */
export interface ProviderClassifier {
  classify(
    model: ClassifierModel,
    request: ClassifierRequest,
    options?: ModelRequestOptions,
  ): Promise<ClassifierResult>;
}

export interface ClassifierRequest {
  state: Record<string, unknown>;
  questions: Record<string, Record<string, unknown>>;
}

/** A provider as an object of Pi's: it knows its models, its key and how to ask. */
export interface NativeProvider {
  readonly id: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly headers?: Record<string, string | null>;
  readonly auth?: {
    readonly apiKey?: { resolve?(input: object): Promise<NativeAuth | undefined> };
  };
  getModels(): readonly Model[];
  streamSimple?: ProviderConfig["streamSimple"];
  stream?: ProviderConfig["streamSimple"];
}

/** What a provider of Pi's says about its key: the 1.5 form has it one level deeper. */
interface NativeAuth extends ResolvedAuth {
  auth?: ResolvedAuth;
}

export type RequestAuth =
  | { ok: true; apiKey?: string; headers?: Record<string, string> }
  | { ok: false; error: string };

/** A model the user chose from, and how hard it is to think. */
export interface ScopedModel {
  model: Model;
  thinkingLevel?: ThinkingLevel;
}

/** Whether a provider can be asked, and where its key is from. */
export interface ProviderAuthStatus {
  configured: boolean;
  source?: "stored" | "environment";
}

/** The models a host knows, and how to reach them. */
export interface ModelRegistry {
  getAll(): Model[];
  getAvailable(): Model[];
  find(provider: string, modelId: string): Model | undefined;
  hasConfiguredAuth(model: Model): boolean;
  getApiKeyAndHeaders(model: Model): Promise<RequestAuth>;
  getApiKeyForProvider(provider: string): Promise<string | undefined>;
  getProviderDisplayName(provider: string): string;
  isUsingOAuth(model: Model): boolean;
  getProviderAuthStatus(provider: string): ProviderAuthStatus;
  /** What in the user's models.json could not be used. */
  getError(): string | undefined;
  /** Reads models.json anew. */
  refresh(): void;
  registerProvider(name: string, config: ProviderConfig): void;
  unregisterProvider(name: string): void;
  /** Asks a model outside the conversation. */
  stream(
    model: Model,
    request: ModelRequest,
    options?: ModelRequestOptions,
  ): AssistantMessageStream;
  streamSimple(
    model: Model,
    request: ModelRequest,
    options?: ModelRequestOptions,
  ): AssistantMessageStream;
  /** Asks a model outside the conversation and waits for the whole answer. */
  complete(
    model: Model,
    request: ModelRequest,
    options?: ModelRequestOptions,
  ): Promise<AssistantMessage>;
  /** A model that does something else than to answer; those that answer are of type `chat`. */
  findOfType(type: "chat", provider: string, modelId: string): Model | undefined;
  findOfType(type: "classifier", provider: string, modelId: string): ClassifierModel | undefined;
  /** Asks a classifier that a provider of an extension brought. Never rejects. */
  classify(
    model: ClassifierModel,
    request: ClassifierRequest,
    options?: ModelRequestOptions,
  ): Promise<ClassifierResult>;
}
