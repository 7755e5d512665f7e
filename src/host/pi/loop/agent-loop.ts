import {
  type AgentMessage,
  type AssistantMessage,
  convertToLlm,
  type Message,
  type Model,
  type ThinkingLevel,
  type ToolCall,
  type ToolResultMessage,
} from "../../../events/index.ts";
import {
  type AssistantMessageStream,
  EventStream,
  type ModelRequest,
  type ModelRequestOptions,
} from "../../../extensions/index.ts";
import { failedAnswer, toolCallsOf } from "../../loop/messages.ts";
import { type AgentTool, type Outcome, runToolCall, type ToolHooks } from "./run-tool-call.ts";

export type StreamFn = (
  model: Model,
  request: ModelRequest,
  options?: ModelRequestOptions,
) => AssistantMessageStream | Promise<AssistantMessageStream>;

export interface AgentContext {
  systemPrompt?: string;
  messages: AgentMessage[];
  tools?: readonly AgentTool[];
}

export type AgentEvent = { readonly type: string } & Readonly<Record<string, unknown>>;
type Emit = (event: AgentEvent) => unknown;

interface TurnContext {
  readonly message: AssistantMessage;
  readonly toolResults: ToolResultMessage[];
  readonly context: AgentContext;
  readonly newMessages: AgentMessage[];
}
interface TurnUpdate {
  readonly context?: AgentContext;
  readonly model?: Model;
  readonly thinkingLevel?: ThinkingLevel;
}

export interface AgentLoopConfig extends ToolHooks, ModelRequestOptions {
  readonly model: Model;
  readonly convertToLlm?: (messages: AgentMessage[]) => Message[] | Promise<Message[]>;
  readonly transformContext?: (
    messages: AgentMessage[],
    signal?: AbortSignal,
  ) => Promise<AgentMessage[]>;
  readonly getApiKey?: (provider: string) => string | undefined | Promise<string | undefined>;
  readonly getSteeringMessages?: () => Promise<AgentMessage[]>;
  readonly getFollowUpMessages?: () => Promise<AgentMessage[]>;
  readonly prepareNextTurn?: (
    turn: TurnContext,
  ) => TurnUpdate | undefined | Promise<TurnUpdate | undefined>;
  /** Pi 0.74's way to end early, and 1.5's. */
  readonly shouldStopAfterTurn?: (turn: TurnContext) => boolean | Promise<boolean>;
  readonly finishTurn?: (turn: TurnContext, signal?: AbortSignal) => unknown;
  readonly toolExecution?: "sequential" | "parallel";
}

/** Works from prompts on until there is nothing more to do. Returns what was said. */
export async function runAgentLoop(
  prompts: readonly AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  emit: Emit,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): Promise<AgentMessage[]> {
  const live: AgentContext = { ...context, messages: [...context.messages] };
  const added: AgentMessage[] = [];
  await emit({ type: "agent_start" });
  await emit({ type: "turn_start" });
  await say(prompts, live, added, emit);
  await rounds({ live, added, config, emit, signal, streamFn });
  await emit({ type: "agent_end", messages: added });
  return added;
}

/** The same from where a conversation stands. */
export async function runAgentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  emit: Emit,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): Promise<AgentMessage[]> {
  if (context.messages.length === 0) throw new Error("There is nothing to continue from.");
  if (context.messages.at(-1)?.role === "assistant") {
    throw new Error("The last message is the assistant's: there is nothing to answer.");
  }
  return runAgentLoop([], context, config, emit, signal, streamFn);
}

type Loop = typeof runAgentLoop;

/** The same as a stream of its events, which ends with what was said. */
export function agentLoop(
  prompts: readonly AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
) {
  return streamed((emit) => runAgentLoop(prompts, context, config, emit, signal, streamFn));
}

export function agentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
) {
  return streamed((emit) => runAgentLoopContinue(context, config, emit, signal, streamFn));
}

function streamed(run: (emit: Emit) => ReturnType<Loop>): EventStream<AgentEvent, unknown> {
  const stream = new EventStream<AgentEvent, unknown>(
    ({ type }) => type === "agent_end",
    ({ messages }) => messages,
  );
  run((event) => stream.push(event)).catch(() => stream.end([]));
  return stream;
}

async function say(
  messages: readonly AgentMessage[],
  live: AgentContext,
  added: AgentMessage[],
  emit: Emit,
) {
  for (const message of messages) {
    await emit({ type: "message_start", message });
    await emit({ type: "message_end", message });
    live.messages.push(message);
    added.push(message);
  }
}

interface Rounds {
  live: AgentContext;
  readonly added: AgentMessage[];
  config: AgentLoopConfig;
  readonly emit: Emit;
  readonly signal: AbortSignal | undefined;
  readonly streamFn: StreamFn;
}

async function rounds(run: Rounds): Promise<void> {
  const { added, emit, signal } = run;
  // The first round was announced together with its prompts.
  let announced = true;
  for (;;) {
    if (!announced) await emit({ type: "turn_start" });
    announced = false;
    const steering = (await run.config.getSteeringMessages?.()) ?? [];
    await say(steering, run.live, added, emit);
    const message = await answer(run);
    run.live.messages.push(message);
    added.push(message);
    const { toolResults, terminate } = await callTools(run, message);
    const turn = { message, toolResults, context: run.live, newMessages: added };
    await emit({ type: "turn_end", message, toolResults });
    if (message.stopReason === "error" || message.stopReason === "aborted" || signal?.aborted)
      return;
    if (await ends(run.config, turn, signal)) return;
    const update = await run.config.prepareNextTurn?.(turn);
    if (update?.context) run.live = { ...update.context, messages: [...update.context.messages] };
    if (update?.model) run.config = { ...run.config, model: update.model };
    if (update?.thinkingLevel) run.config = { ...run.config, reasoning: update.thinkingLevel };
    if (toolResults.length > 0 && !terminate) continue;
    const next = (await run.config.getSteeringMessages?.()) ?? [];
    const later = next.length > 0 ? next : ((await run.config.getFollowUpMessages?.()) ?? []);
    if (later.length === 0) return;
    await emit({ type: "turn_start" });
    announced = true;
    await say(later, run.live, added, emit);
  }
}

async function ends(
  config: AgentLoopConfig,
  turn: TurnContext,
  signal?: AbortSignal,
): Promise<boolean> {
  if (await config.shouldStopAfterTurn?.(turn)) return true;
  const decision: unknown = await config.finishTurn?.(turn, signal);
  return (
    typeof decision === "object" &&
    decision !== null &&
    "action" in decision &&
    decision.action === "end"
  );
}

/** One answer of the model, told of while it arrives. */
async function answer({ live, config, emit, signal, streamFn }: Rounds): Promise<AssistantMessage> {
  const { model, getApiKey, transformContext } = config;
  let last: AssistantMessage | undefined;
  try {
    const seen = (await transformContext?.([...live.messages], signal)) ?? live.messages;
    const messages = await (config.convertToLlm ?? convertToLlm)([...seen]);
    const apiKey = (await getApiKey?.(model.provider)) ?? config.apiKey;
    const request: ModelRequest = {
      ...(live.systemPrompt !== undefined && { systemPrompt: live.systemPrompt }),
      messages,
      tools: (live.tools ?? []).map(({ name, description, parameters }) => ({
        name,
        description,
        parameters,
      })),
    };
    const options = {
      ...optionsOf(config),
      ...(apiKey !== undefined && { apiKey }),
      ...(signal && { signal }),
    };
    for await (const event of await streamFn(model, request, options)) {
      if ("partial" in event) {
        const isFirst = last === undefined;
        last = event.partial;
        if (isFirst) await emit({ type: "message_start", message: last });
        if (event.type !== "start")
          await emit({ type: "message_update", message: last, assistantMessageEvent: event });
      } else {
        const message = event.type === "done" ? event.message : event.error;
        if (last === undefined) await emit({ type: "message_start", message });
        await emit({ type: "message_end", message });
        return message;
      }
    }
    throw new Error("The answer ended before it was complete.");
  } catch (thrown) {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const message = failedAnswer(model, signal?.aborted ? "aborted" : "error", text, last);
    if (last === undefined) await emit({ type: "message_start", message });
    await emit({ type: "message_end", message });
    return message;
  }
}

/** What of the configuration is for the model. */
function optionsOf(config: AgentLoopConfig): ModelRequestOptions {
  const { reasoning, temperature, maxTokens, sessionId, headers, onPayload, onResponse } = config;
  const given = { reasoning, temperature, maxTokens, sessionId, headers, onPayload, onResponse };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== "off"),
  );
}

async function callTools({ live, config, emit, signal, added }: Rounds, message: AssistantMessage) {
  const calls =
    message.stopReason === "error" || message.stopReason === "aborted" ? [] : toolCallsOf(message);
  const tools = live.tools ?? [];
  const alone =
    config.toolExecution === "sequential" ||
    calls.some(
      ({ name }) => tools.find((tool) => tool.name === name)?.executionMode === "sequential",
    );
  const run = async (call: ToolCall): Promise<Outcome> => {
    const about = { toolCallId: call.id, toolName: call.name, args: call.arguments };
    await emit({ type: "tool_execution_start", ...about });
    const outcome = await runToolCall(call, {
      tools,
      assistantMessage: message,
      context: live,
      ...(config.beforeToolCall && { beforeToolCall: config.beforeToolCall }),
      ...(config.afterToolCall && { afterToolCall: config.afterToolCall }),
      ...(signal && { signal }),
      onUpdate: (partialResult) => emit({ type: "tool_execution_update", ...about, partialResult }),
    });
    const { result, isError, durationMs } = outcome;
    await emit({ type: "tool_execution_end", ...about, result, isError, durationMs });
    return outcome;
  };
  const outcomes: Outcome[] = [];
  if (alone) for (const call of calls) outcomes.push(await run(call));
  else outcomes.push(...(await Promise.all(calls.map(run))));
  const toolResults = outcomes.map(
    ({ toolCall, result, isError }): ToolResultMessage => ({
      role: "toolResult",
      toolCallId: toolCall.id,
      toolName: toolCall.name,
      content: result.content,
      details: result.details,
      isError,
      timestamp: Date.now(),
    }),
  );
  await say(toolResults, live, added, emit);
  return {
    toolResults,
    terminate: outcomes.length > 0 && outcomes.every(({ result }) => result.terminate === true),
  };
}
