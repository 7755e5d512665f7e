import type { AssistantMessage, AssistantMessageEvent, Model } from "../../../events/index.ts";
import { noUsage } from "../../../events/index.ts";
import {
  type AssistantMessageStream,
  createAssistantMessageEventStream,
  type ModelRequest,
} from "../../../extensions/index.ts";
import { isRecord } from "../../../values/index.ts";
import { ToolCallArgumentsStream } from "../ai/json.ts";

interface ProxyOptions {
  readonly authToken: string;
  readonly proxyUrl: string;
  readonly signal?: AbortSignal;
  readonly [option: string]: unknown;
}

/** Asks a model through a server that knows its key, and puts the answer together from the pieces. */
export function streamProxy(
  model: Model,
  context: ModelRequest,
  options: ProxyOptions,
): AssistantMessageStream {
  const out = createAssistantMessageEventStream();
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: noUsage(),
    stopReason: "stop",
    timestamp: Date.now(),
  };
  const fail = (thrown: unknown) => {
    const reason = options.signal?.aborted ? "aborted" : "error";
    const errorMessage = thrown instanceof Error ? thrown.message : String(thrown);
    out.push({ type: "error", reason, error: { ...message, stopReason: reason, errorMessage } });
  };
  relay(model, context, options, new Pieces(message), (event) => out.push(event)).catch(fail);
  return out;
}

async function relay(
  model: Model,
  context: ModelRequest,
  options: ProxyOptions,
  pieces: Pieces,
  push: (event: AssistantMessageEvent) => void,
): Promise<void> {
  const { authToken, proxyUrl, signal, ...asked } = options;
  const response = await fetch(`${proxyUrl}/api/stream`, {
    method: "POST",
    headers: { Authorization: `Bearer ${authToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ model, context, options: asked }),
    ...(signal && { signal }),
  });
  if (!response.ok || !response.body)
    throw new Error(`Proxy error: ${response.status} ${response.statusText}`);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const value: unknown = line.startsWith("data: ")
        ? JSON.parse(line.slice("data: ".length))
        : undefined;
      const event = isRecord(value) ? pieces.take(value) : undefined;
      if (event) push(event);
    }
  }
}

/** The answer so far. */
class Pieces {
  readonly #message: AssistantMessage;
  readonly #arguments = new Map<number, ToolCallArgumentsStream>();

  constructor(message: AssistantMessage) {
    this.#message = message;
  }

  take(piece: Readonly<Record<string, unknown>>): AssistantMessageEvent | undefined {
    const message = this.#message;
    const contentIndex = Number(piece.contentIndex ?? 0);
    const delta = String(piece.delta ?? "");
    const block = message.content[contentIndex];
    const partial = message;
    switch (piece.type) {
      case "start":
        return { type: "start", partial };
      case "text_start":
        message.content[contentIndex] = { type: "text", text: "" };
        return { type: "text_start", contentIndex, partial };
      case "text_delta":
        if (block?.type === "text") block.text += delta;
        return { type: "text_delta", contentIndex, delta, partial };
      case "text_end":
        return {
          type: "text_end",
          contentIndex,
          content: block?.type === "text" ? block.text : "",
          partial,
        };
      case "thinking_start":
        message.content[contentIndex] = { type: "thinking", thinking: "" };
        return { type: "thinking_start", contentIndex, partial };
      case "thinking_delta":
        if (block?.type === "thinking") block.thinking += delta;
        return { type: "thinking_delta", contentIndex, delta, partial };
      case "thinking_end":
        return {
          type: "thinking_end",
          contentIndex,
          content: block?.type === "thinking" ? block.thinking : "",
          partial,
        };
      case "toolcall_start":
        this.#arguments.set(contentIndex, new ToolCallArgumentsStream());
        message.content[contentIndex] = {
          type: "toolCall",
          id: String(piece.id),
          name: String(piece.toolName),
          arguments: {},
        };
        return { type: "toolcall_start", contentIndex, partial };
      case "toolcall_delta":
        if (block?.type === "toolCall")
          block.arguments = this.#arguments.get(contentIndex)?.append(delta) ?? {};
        return { type: "toolcall_delta", contentIndex, delta, partial };
      case "toolcall_end":
        return block?.type === "toolCall"
          ? { type: "toolcall_end", contentIndex, toolCall: block, partial }
          : undefined;
      case "done":
      case "error":
        return this.#end(piece);
      default:
        return undefined;
    }
  }

  #end(piece: Readonly<Record<string, unknown>>): AssistantMessageEvent {
    const message = Object.assign(this.#message, isRecord(piece.usage) && { usage: piece.usage });
    if (piece.type === "done") {
      const reason =
        piece.reason === "length" || piece.reason === "toolUse" ? piece.reason : "stop";
      return { type: "done", reason, message: { ...message, stopReason: reason } };
    }
    const reason = piece.reason === "aborted" ? "aborted" : "error";
    const errorMessage = String(piece.errorMessage ?? "The proxy reported an error.");
    return { type: "error", reason, error: { ...message, stopReason: reason, errorMessage } };
  }
}
