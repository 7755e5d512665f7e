import { messageOf } from "../../errors/index.ts";
import type { AgentMessage, AssistantMessage, AssistantMessageEvent } from "../../events/index.ts";
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
export async function askModel(run: RunContext): Promise<ModelReply> {
  const { emitter, signal } = run;
  const { event } = await emitter.emit({ type: "context", messages: run.messages() }, signal);
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
    await eachItem(request(run, event.messages, either), either, take);
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

function request(run: RunContext, messages: readonly AgentMessage[], signal: AbortSignal) {
  const { emitter, models, systemPrompt } = run;
  const model = run.model();
  const level = run.thinkingLevel();
  const tools = [...run.tools().values()].map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  const options: ModelRequestOptions = {
    signal,
    sessionId: run.sessionId,
    ...(level !== "off" && { reasoning: level }),
    // A payload nobody looks at need not be put together.
    ...(emitter.isHeard("before_provider_request") && {
      onPayload: async (payload: unknown) => {
        const { event } = await emitter.emit({ type: "before_provider_request", payload }, signal);
        return event.payload;
      },
    }),
    onResponse: ({ status, headers }) =>
      void emitter.emit({ type: "after_provider_response", status, headers }),
  };
  return models.stream(model, { systemPrompt, messages: modelMessages(messages), tools }, options);
}
