import { messageOf } from "../../errors/index.ts";
import type { AssistantMessage, Model } from "../../events/index.ts";
import {
  type AssistantMessageStream,
  createAssistantMessageEventStream,
} from "../../extensions/index.ts";
import { usageOf } from "./usage.ts";

/**
 * The stream of an extension's provider, once there is a key to open it with. It is held to what
 * ours do: it never throws, always ends with a message, and an abort does not wait for it.
 */
export function relayStream(
  model: Model,
  signal: AbortSignal | undefined,
  open: () => Promise<AssistantMessageStream>,
): AssistantMessageStream {
  const out = createAssistantMessageEventStream();
  let partial: AssistantMessage | undefined;
  const fail = (reason: "error" | "aborted", errorMessage: string) => {
    signal?.removeEventListener("abort", abort);
    const message = partial ?? emptyMessage(model);
    out.push({ type: "error", reason, error: { ...message, stopReason: reason, errorMessage } });
  };
  const abort = () => fail("aborted", "The request was aborted.");
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });

  const relay = async () => {
    for await (const event of await open()) {
      if ("partial" in event) partial = event.partial;
      out.push(event);
      if (event.type === "done" || event.type === "error") {
        signal?.removeEventListener("abort", abort);
        return;
      }
    }
    fail("error", "The answer ended before it was complete.");
  };
  relay().catch((thrown: unknown) => fail("error", messageOf(thrown)));
  return out;
}

function emptyMessage(model: Model): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: usageOf(model),
    stopReason: "error",
    timestamp: Date.now(),
  };
}
