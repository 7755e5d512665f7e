import type { AgentMessage, AssistantMessage, ToolCall } from "../../events/index.ts";
import type { ToolResult } from "../../tools/index.ts";
import { toolResultMessage } from "./messages.ts";
import type { RunContext } from "./run-context.ts";

/** As much of a run as it takes to write something down. */
type Recording = Pick<RunContext, "emitter" | "sessionId" | "signal" | "round" | "append">;

/** Puts a message into the conversation: announced, changed by whoever may, stored. */
export async function recordMessage<M extends AgentMessage>(
  run: Recording,
  message: M,
  options: { announced?: boolean } = {},
): Promise<{ message: M; entryId: string }> {
  if (!options.announced) await startMessage(run, message);
  const final = await endMessage(run, message);
  const entryId = run.append(final);
  return { message: final, entryId };
}

function startMessage({ emitter, signal }: Recording, message: AgentMessage) {
  return emitter.boundary({ type: "message_start", message }, signal);
}

/** The message after message_end. After an abort nobody is asked: it must not get lost. */
async function endMessage<M extends AgentMessage>(run: Recording, message: M): Promise<M> {
  const decision = await run.emitter.emit({ type: "message_end", message }, run.signal);
  // Dispatch made sure that it has the same role and what belongs to it.
  return decision.event.message as M;
}

/** Tells that a tool call begins. */
export function beginCall(
  { emitter, signal, round }: Recording,
  call: ToolCall,
): Promise<void> | undefined {
  round.startedAt.set(call.id, performance.now());
  const { id: toolCallId, name: toolName, arguments: args } = call;
  return emitter.boundary({ type: "tool_execution_start", toolName, toolCallId, args }, signal);
}

/** Tells that it ended, whatever became of it. */
export function endCall(
  { emitter, signal, round }: Recording,
  call: ToolCall,
  result: ToolResult,
  blocked?: { reason: string; by?: string },
): Promise<void> | undefined {
  const event = {
    type: "tool_execution_end" as const,
    toolName: call.name,
    toolCallId: call.id,
    result,
    isError: result.isError === true,
    durationMs: Math.round(performance.now() - (round.startedAt.get(call.id) ?? performance.now())),
    ...(blocked && { blocked }),
  };
  return emitter.boundary(event, signal);
}

/**
 * The one way a tool result gets into the session, whatever became of the call: before and after
 * it is written, extensions are told.
 */
export async function recordToolResult(
  run: Recording,
  call: ToolCall,
  answerId: string,
  result: ToolResult,
) {
  const { emitter, sessionId, round, signal } = run;
  const message = toolResultMessage(call, result);
  await startMessage(run, message);
  const final = await endMessage(run, message);
  const persist = {
    sessionKey: sessionId,
    agentId: "seam",
    toolName: call.name,
    toolCallId: call.id,
    ...(round.inputs.get(call.id) ?? { toolInput: call.arguments }),
    messageId: answerId,
  };
  await emitter.boundary({ type: "before_tool_call_persist", ...persist }, signal);
  round.entryIds.push(run.append(final));
  round.results.push(final);
  const { content, details, isError } = final;
  const toolResult = { content, details, isError };
  emitter.emit({ type: "after_tool_call_persist", ...persist, toolResult });
  return final;
}

/** Tells that the round is over. */
export function endRound(
  { emitter, round, signal }: Recording,
  message: AssistantMessage,
  messageEntryId: string,
): Promise<void> | undefined {
  const { turnIndex, results, entryIds } = round;
  const event = {
    type: "turn_end" as const,
    turnIndex,
    message,
    toolResults: [...results],
    messageEntryId,
    toolResultEntryIds: [...entryIds],
    outcome: outcomeOf(message, signal),
  };
  return emitter.boundary(event, signal);
}

/** How something came to its end, in Pi's words. */
export function outcomeOf(
  message: AssistantMessage | undefined,
  signal: AbortSignal,
): "completed" | "aborted" | "error" {
  if (signal.aborted || message?.stopReason === "aborted") return "aborted";
  return message?.stopReason === "error" ? "error" : "completed";
}
