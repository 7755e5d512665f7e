import type { AnthropicProvider } from "@ai-sdk/anthropic";

/**
 * The AI SDK's types, taken from a provider we depend on: `@ai-sdk/provider`, where they are
 * declared, is not a dependency of ours.
 */
export type LanguageModel = ReturnType<AnthropicProvider["languageModel"]>;
export type CallOptions = Parameters<LanguageModel["doStream"]>[0];
export type Prompt = CallOptions["prompt"];
export type PromptMessage = Prompt[number];
export type ProviderOptions = NonNullable<CallOptions["providerOptions"]>;

type Stream = Awaited<ReturnType<LanguageModel["doStream"]>>["stream"];
export type StreamPart = Stream extends AsyncIterable<infer Part> ? Part : never;
export type SdkUsage = Extract<StreamPart, { type: "finish" }>["usage"];
export type FinishReason = Extract<StreamPart, { type: "finish" }>["finishReason"];
