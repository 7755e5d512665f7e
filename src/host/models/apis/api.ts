import type {
  AssistantContent,
  Model,
  TextContent,
  ThinkingContent,
  ThinkingLevel,
  ToolCall,
} from "../../../events/index.ts";
import type { LanguageModel, ProviderOptions } from "../sdk-types.ts";

export interface Connection {
  readonly model: Model;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

export interface AskedFor {
  readonly level: ThinkingLevel;
  readonly sessionId: string | undefined;
}

export type Signature = Partial<
  Pick<TextContent, "textSignature"> &
    Pick<ThinkingContent, "thinkingSignature" | "redacted"> &
    Pick<ToolCall, "thoughtSignature">
>;

/** One way of speaking to a model over HTTP, in terms of the AI SDK's provider for it. */
export interface Api {
  /** The header a key goes into. Left out of the request where there is no key. */
  readonly keyHeader: string;
  /** False: pictures a tool returned are sent as the user's, after the results. */
  readonly imagesInToolResults: boolean;
  /** Loads the SDK's provider: only when a model of its kind is asked, because it takes a while. */
  connect(connection: Connection): Promise<LanguageModel>;
  /** What the request says beside the conversation. */
  options(model: Model, asked: AskedFor): ProviderOptions;
  /** Headers that go with these options. */
  headers?(model: Model, asked: AskedFor): Record<string, string>;
  /** It must be told how long an answer may be, even where that is a guess. */
  readonly needsMaxTokens?: true;
  /** Marks where the provider may begin to reuse what it has read. */
  readonly cachePoint?: ProviderOptions;
  /** What a block must carry so that the provider takes it back. */
  readSignature(block: AssistantContent, metadata: ProviderOptions): Signature;
  /** How a block goes back to the model it came from; undefined: it cannot go back. */
  writeSignature(block: AssistantContent): ProviderOptions | undefined;
}

/** One string of the SDK's metadata. */
export function metadataText(
  metadata: ProviderOptions,
  provider: string,
  field: string,
): string | undefined {
  const value = metadata[provider]?.[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}
