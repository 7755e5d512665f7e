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
  /** Told when the provider has answered, before the body is read. */
  onResponse?: (
    response: { status: number; headers: Record<string, string> },
    model: Model,
  ) => unknown;
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
  oauth?: {
    name: string;
    login(callbacks: OAuthLoginCallbacks): Promise<OAuthCredentials>;
    refreshToken(credentials: OAuthCredentials): Promise<OAuthCredentials>;
    getApiKey(credentials: OAuthCredentials): string;
    modifyModels?(models: Model[], credentials: OAuthCredentials): Model[];
  };
}

export type RequestAuth =
  | { ok: true; apiKey?: string; headers?: Record<string, string> }
  | { ok: false; error: string };

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
}
