import type { AssistantMessage, Model } from "../../../events/index.ts";
import { noUsage } from "../../../events/index.ts";
import {
  createAssistantMessageEventStream,
  type ModelRequest,
  type ModelRequestOptions,
  type ProviderConfig,
} from "../../../extensions/index.ts";

type Block = AssistantMessage["content"][number];

export const fauxText = (text: string) => ({ type: "text" as const, text });
export const fauxThinking = (thinking: string) => ({ type: "thinking" as const, thinking });

let calls = 0;
export const fauxToolCall = (
  name: string,
  args: Record<string, unknown>,
  options: { id?: string } = {},
) => ({
  type: "toolCall" as const,
  id: options.id ?? `faux_${++calls}`,
  name,
  arguments: args,
});

interface MessageOptions {
  readonly stopReason?: AssistantMessage["stopReason"];
  readonly errorMessage?: string;
  readonly timestamp?: number;
}

/** An answer that a test makes up. */
export function fauxAssistantMessage(
  content: string | Block | Block[],
  options: MessageOptions = {},
): AssistantMessage {
  const blocks =
    typeof content === "string"
      ? [fauxText(content)]
      : Array.isArray(content)
        ? content
        : [content];
  const calling = blocks.some(({ type }) => type === "toolCall");
  const {
    stopReason = calling ? "toolUse" : "stop",
    errorMessage,
    timestamp = Date.now(),
  } = options;
  return {
    role: "assistant",
    content: blocks,
    api: "faux",
    provider: "faux",
    model: "faux-1",
    usage: noUsage(),
    stopReason,
    timestamp,
    ...(errorMessage !== undefined && { errorMessage }),
  };
}

/** What it would have used of a model: four characters are a token. */
function estimated({ systemPrompt, messages, tools = [] }: ModelRequest, answer: Block[]) {
  const prompt = [
    ...(systemPrompt ? [`system:${systemPrompt}`] : []),
    ...messages.map((message) => `${message.role}:${saidIn(message.content)}`),
    ...(tools.length > 0 ? [`tools:${JSON.stringify(tools)}`] : []),
  ].join("\n\n");
  const tokens = (text: string) => Math.ceil(text.length / 4);
  const [input, output] = [tokens(prompt), tokens(saidIn(answer))];
  return { ...noUsage(), input, output, totalTokens: input + output };
}

function saidIn(content: string | readonly (Block | { type: string })[]): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if ("text" in block) return block.text;
      if ("thinking" in block) return block.thinking;
      return "name" in block ? `${block.name}:${JSON.stringify(block.arguments)}` : "";
    })
    .join("\n");
}

type Step =
  | AssistantMessage
  | ((
      request: ModelRequest,
      options: ModelRequestOptions | undefined,
      state: { callCount: number },
      model: Model,
    ) => AssistantMessage | Promise<AssistantMessage>);

interface FauxOptions {
  readonly api?: string;
  readonly provider?: string;
  readonly models?: readonly (Partial<Model> & { id: string })[];
}

/** A model whose answers are given in advance. */
export function createFauxCore({
  api = "faux",
  provider = "faux",
  models = [{ id: "faux-1" }],
}: FauxOptions = {}) {
  const waiting: Step[] = [];
  const state = { callCount: 0 };
  const known = models.map(
    (model): Model => ({
      name: model.id,
      reasoning: false,
      input: ["text"],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 200_000,
      maxTokens: 8_192,
      baseUrl: "",
      ...model,
      api,
      provider,
    }),
  );
  const next = async (model: Model, request: ModelRequest, options?: ModelRequestOptions) => {
    state.callCount++;
    const step = waiting.shift();
    if (!step)
      return fauxAssistantMessage([], {
        stopReason: "error",
        errorMessage: "No more faux responses queued",
      });
    return typeof step === "function" ? step(request, options, state, model) : step;
  };
  const stream = (model: Model, request: ModelRequest, options?: ModelRequestOptions) => {
    const out = createAssistantMessageEventStream();
    const answer = async () => {
      const given = await next(model, request, options);
      const usage = estimated(request, given.content);
      const message = { ...given, usage, api, provider, model: model.id };
      out.push({ type: "start", partial: { ...message, content: [] } });
      for (const [contentIndex, block] of message.content.entries()) {
        const partial = { ...message, content: message.content.slice(0, contentIndex + 1) };
        if (block.type === "text") {
          out.push({ type: "text_start", contentIndex, partial });
          out.push({ type: "text_delta", contentIndex, delta: block.text, partial });
          out.push({ type: "text_end", contentIndex, content: block.text, partial });
        } else if (block.type === "toolCall") {
          out.push({ type: "toolcall_start", contentIndex, partial });
          out.push({ type: "toolcall_end", contentIndex, toolCall: block, partial });
        }
      }
      const { stopReason } = message;
      if (stopReason === "error" || stopReason === "aborted")
        out.push({ type: "error", reason: stopReason, error: message });
      else out.push({ type: "done", reason: stopReason, message });
    };
    answer().catch((thrown: unknown) => {
      const errorMessage = thrown instanceof Error ? thrown.message : String(thrown);
      out.push({
        type: "error",
        reason: "error",
        error: fauxAssistantMessage([], { stopReason: "error", errorMessage }),
      });
    });
    return out;
  };
  return {
    api,
    provider,
    models: known,
    stream,
    streamSimple: stream,
    getModel: (id?: string) =>
      id === undefined ? known[0] : known.find((model) => model.id === id),
    state,
    setResponses: (steps: readonly Step[]) => void waiting.splice(0, waiting.length, ...steps),
    appendResponses: (steps: readonly Step[]) => void waiting.push(...steps),
    getPendingResponseCount: () => waiting.length,
  };
}

/** Pi 1.5's form: a provider to hand to `pi.registerProvider`. */
export function fauxProvider(options: FauxOptions = {}) {
  const core = createFauxCore(options);
  const config: ProviderConfig & { id: string } = {
    id: core.provider,
    name: core.provider,
    baseUrl: "http://faux.invalid",
    apiKey: "faux",
    api: core.api,
    streamSimple: core.streamSimple,
    models: core.models.map((model) => ({ ...model })),
  };
  return {
    ...core,
    provider: Object.assign(config, {
      getModels: () => core.models,
      stream: core.stream,
      auth: {},
    }),
  };
}
