import { messageOf } from "../../errors/index.ts";
import {
  type AgentMessage,
  type AssistantMessage,
  type AssistantMessageEvent,
  textOfContent,
} from "../../events/index.ts";
import type { ModelRequestOptions } from "../../extensions/index.ts";
import { AbortedError, eachItem, linkedController } from "../abortable.ts";
import { failedAnswer, modelMessages } from "./messages.ts";
import { recordMessage } from "./record.ts";
import type { RunContext } from "./run-context.ts";

export interface ModelReply {
  readonly message: AssistantMessage;
  readonly entryId: string;
  /** A rule stopped the answer: tell the model this and ask again. */
  readonly interruption?: AgentMessage;
}

/** One model call: the context goes out, the answer comes in piece by piece and is stored. */
export async function askModel(run: RunContext, failed?: AssistantMessage): Promise<ModelReply> {
  const { emitter, signal } = run;
  const { event } = await emitter.emit({ type: "context", messages: run.messages() }, signal);
  const asked = await withSystem(run, event.messages);
  const watcher = run.newWatcher();
  const rules = watcher && linkedController(signal);
  const either = rules?.signal ?? signal;
  let interrupted = false;
  let partial: AssistantMessage | undefined;
  let answer: AssistantMessage | undefined;
  const take = (step: AssistantMessageEvent): Promise<void> | undefined => {
    // Not every provider says that it starts.
    const isFirst = partial === undefined;
    partial = partialOf(step) ?? partial;
    const begun =
      isFirst && partial
        ? emitter.boundary({ type: "message_start", message: partial }, either)
        : undefined;
    if (begun && step.type !== "start") return begun.then(() => takeIn(step));
    takeIn(step);
    return begun;
  };
  const takeIn = (step: AssistantMessageEvent) => {
    if (step.type === "start") return;
    if (step.type === "done") answer = step.message;
    else if (step.type === "error") answer = step.error;
    else {
      const message = step.partial;
      emitter.emit({ type: "message_update", message, assistantMessageEvent: step });
      if (!("delta" in step) || !watcher?.push(step.delta, step.contentIndex)) return;
      interrupted = true;
      rules?.abort();
    }
  };
  try {
    if (signal.aborted) throw new AbortedError("aborted");
    await eachItem(await request(run, { ...asked, failed }, either), either, take);
    answer ??= failedAnswer(
      run.model(),
      "error",
      "The answer ended before it was complete.",
      partial,
    );
  } catch (thrown) {
    const aborted = thrown instanceof AbortedError || either.aborted;
    const reason = aborted ? "aborted" : "error";
    const text = aborted ? "The answer was interrupted." : messageOf(thrown);
    answer = failedAnswer(run.model(), reason, text, partial);
  } finally {
    rules?.release();
  }
  const recorded = await recordMessage(run, answer, { announced: partial !== undefined });
  const interruption = interrupted ? watcher?.verdict() : undefined;
  return interruption ? { ...recorded, interruption } : recorded;
}

function partialOf(step: AssistantMessageEvent): AssistantMessage | undefined {
  return "partial" in step ? step.partial : undefined;
}

interface Asked {
  readonly systemPrompt: string;
  readonly messages: readonly AgentMessage[];
  /** The answer that is asked for again. */
  readonly failed?: AssistantMessage | undefined;
}

/** Pi 1.5 has the system prompt as a message; whoever listens may change it together with the others. */
async function withSystem(run: RunContext, messages: AgentMessage[]): Promise<Asked> {
  const { emitter, systemPrompt, signal } = run;
  if (!emitter.isHeard("context_with_system")) return { systemPrompt, messages };
  // Not a role of Seam's own: it is there for the length of this event.
  const system: object = { role: "system", content: systemPrompt, timestamp: Date.now() };
  const all = [system as AgentMessage, ...messages];
  const { event } = await emitter.emit({ type: "context_with_system", messages: all }, signal);
  const isSystem = ({ role }: { role: string }) => role === "system";
  const prompts = event.messages
    .filter(isSystem)
    .map((message) => textOfContent(contentOf(message)));
  return {
    systemPrompt: prompts.join("\n\n"),
    messages: event.messages.filter((message) => !isSystem(message)),
  };
}

function contentOf(message: AgentMessage) {
  return "content" in message ? message.content : "";
}

/** The headers of a request after extensions had their say; one that is null is not sent. */
async function headersFor(run: RunContext, given: Record<string, string>, signal: AbortSignal) {
  if (!run.emitter.isHeard("before_provider_headers")) return given;
  const headers: Record<string, string | null> = { ...given };
  const { event } = await run.emitter.emit({ type: "before_provider_headers", headers }, signal);
  return Object.fromEntries(
    Object.entries(event.headers).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

async function request(run: RunContext, asked: Asked, signal: AbortSignal) {
  const { emitter, models } = run;
  const { systemPrompt, failed } = asked;
  const messages = modelMessages(asked.messages);
  const { model, thinkingLevel: level } = await run.answering({ messages, signal, failed });
  const headers = await headersFor(run, { ...model.headers }, signal);
  const tools = [...run.tools().values()]
    .filter(({ isUndeclared }) => !isUndeclared)
    .map(({ name, description, parameters, constrainedSampling }) => ({
      name,
      description,
      parameters,
      ...(constrainedSampling && { constrainedSampling }),
    }));
  const options: ModelRequestOptions = {
    signal,
    sessionId: run.sessionId,
    ...(level !== "off" && { reasoning: level }),
    ...(Object.keys(headers).length > 0 && { headers }),
    // A payload nobody looks at need not be put together.
    ...(emitter.isHeard("before_provider_request") && {
      onPayload: async (payload: unknown) => {
        const { event } = await emitter.emit({ type: "before_provider_request", payload }, signal);
        return event.payload;
      },
    }),
    ...(emitter.isHandled("provider_stream_event") && {
      onProviderStreamEvent: (data: unknown) =>
        emitter.boundary({
          type: "provider_stream_event",
          provider: model.provider,
          api: model.api,
          model: model.id,
          data,
        }),
    }),
    onResponse: ({ status, headers }) =>
      void emitter.emit({ type: "after_provider_response", status, headers }),
  };
  return models.stream(model, { systemPrompt, messages, tools }, options);
}
