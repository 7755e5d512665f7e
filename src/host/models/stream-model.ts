import { SeamError } from "../../errors/index.ts";
import type { Model } from "../../events/index.ts";
import type {
  AssistantMessageStream,
  ModelRequest,
  ModelRequestOptions,
  RequestAuth,
} from "../../extensions/index.ts";
import { Answer } from "./answer.ts";
import { APIS, type Api } from "./apis/index.ts";
import { failureText } from "./failure-text.ts";
import { readAnswer } from "./read-answer.ts";
import type { CallOptions } from "./sdk-types.ts";
import { NO_KEY, tappedFetch } from "./tapped-fetch.ts";
import { toPrompt } from "./to-prompt.ts";

/** Asks a model over HTTP. Whatever goes wrong is the stream's last event, never a throw. */
export function streamModel(
  model: Model,
  request: ModelRequest,
  options: ModelRequestOptions,
  auth: Promise<RequestAuth>,
  aboutKey: () => string,
): AssistantMessageStream {
  const answer = new Answer(model, options.signal);
  ask(answer, model, request, options, auth).catch((thrown: unknown) => {
    const text = failureText(thrown);
    const isRefused = /^HTTP 40[13]\b/.test(text);
    answer.fail(isRefused ? `${text.replace(/[^.!?]$/, "$&.")} ${aboutKey()}` : text);
  });
  return answer.stream;
}

async function ask(
  answer: Answer,
  model: Model,
  request: ModelRequest,
  options: ModelRequestOptions,
  auth: Promise<RequestAuth>,
): Promise<void> {
  const api = APIS.get(model.api);
  if (!api) {
    const known = [...APIS.keys()].join(", ");
    throw new SeamError("SEAM_MODEL_API", { model: model.id, api: model.api, known });
  }
  const granted = await auth;
  if (!granted.ok) throw new Error(granted.error);
  const asked = { level: options.reasoning ?? "off", sessionId: options.sessionId };
  const headers = { ...api.headers?.(model, asked), ...granted.headers, ...options.headers };
  const apiKey = granted.apiKey || NO_KEY;
  const sdk = await api.connect({
    model,
    apiKey,
    headers,
    fetch: tappedFetch(model, options, api.keyHeader),
  });
  if (answer.closed) return;
  const maxOutputTokens = options.maxTokens ?? longestAnswer(model, api);
  const { stream } = await sdk.doStream({
    prompt: toPrompt(model, request, api),
    ...(request.tools && { tools: request.tools.map(toSdkTool) }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.signal && { abortSignal: options.signal }),
    providerOptions: api.options(model, asked),
  });
  await readAnswer(stream, answer, api);
}

/** The most tokens of an answer, as in Pi: the model's own limit, unless nobody knows it. */
function longestAnswer({ maxTokens, compat }: Model, api: Api): number | undefined {
  const isKnown = maxTokens > 0 && compat?.assumedMaxTokens !== true;
  return isKnown || api.needsMaxTokens ? maxTokens : undefined;
}

type SdkTool = Extract<NonNullable<CallOptions["tools"]>[number], { type: "function" }>;

function toSdkTool(tool: NonNullable<ModelRequest["tools"]>[number]): SdkTool {
  const { name, description, parameters } = tool;
  // Boundary: schemas are the tool author's plain JSON; only the provider can say what it takes.
  return { type: "function", name, description, inputSchema: parameters as SdkTool["inputSchema"] };
}
