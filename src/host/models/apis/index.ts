import { anthropicMessages } from "./anthropic-messages.ts";
import type { Api } from "./api.ts";
import { googleGenerativeAi } from "./google-generative-ai.ts";
import { openaiCompletions } from "./openai-completions.ts";
import { openaiResponses } from "./openai-responses.ts";

/** Pi's names for the ways of speaking to a model. */
export const APIS: ReadonlyMap<string, Api> = new Map([
  ["anthropic-messages", anthropicMessages],
  ["openai-responses", openaiResponses],
  ["openai-completions", openaiCompletions],
  ["google-generative-ai", googleGenerativeAi],
]);

export type { Api } from "./api.ts";
