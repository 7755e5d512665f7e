import type {
  AgentMessage,
  AssistantMessage,
  ToolCall,
  ToolResultMessage,
} from "../../events/index.ts";
import type { ToolResult } from "../../tools/index.ts";
import { abortable } from "../abortable.ts";
import { toolResultMessage } from "./messages.ts";
import type { RunContext } from "./run-context.ts";

/** The part of a run that it takes to write something down. */
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

/** What events call a tool call. */
export interface Names {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly parentToolCallId?: string;
}

export function namesOf(call: ToolCall & { readonly parentToolCallId?: string }): Names {
  const { id, name, parentToolCallId } = call;
  return {
    toolName: name,
    toolCallId: id,
    ...(parentToolCallId !== undefined && { parentToolCallId }),
  };
}

/** Tells that a tool call begins. */
export function beginCall(
  { emitter, signal, round }: Recording,
  call: ToolCall,
): Promise<void> | undefined {
  round.startedAt.set(call.id, performance.now());
  const { arguments: args } = call;
  return emitter.boundary({ type: "tool_execution_start", ...namesOf(call), args }, signal);
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
    ...namesOf(call),
    result,
    isError: result.isError === true,
    durationMs: round.durationOf(call.id),
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
  const nestedCalls = round.nestedOf(call.id);
  const message: ToolResultMessage = {
    ...toolResultMessage(call, result),
    ...(result.usage !== undefined && { usage: result.usage }),
    ...(nestedCalls && { nestedCalls }),
    durationMs: round.durationOf(call.id),
  };
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

/**
 * Tells that the round is over, and adds what extensions want in the session. True if one of them
 * wants the model to be asked once more, and there is something to answer.
 */
export async function endRound(
  run: RunContext,
  message: AssistantMessage,
  messageEntryId: string,
): Promise<boolean> {
  const { emitter, round, signal } = run;
  const { turnIndex, results, entryIds } = round;
  const asked = emitter.isHandled("turn_end");
  const told = emitter.emit({
    type: "turn_end",
    turnIndex,
    message,
    toolResults: [...results],
    messageEntryId,
    toolResultEntryIds: [...entryIds],
    outcome: outcomeOf(message, signal),
    ...(asked && { entries: [], continue: false, context: run.boundaryContext() }),
  });
  if (!asked) return false;
  // An abort waits for nobody, and what comes after it is not listened to.
  const event = await abortable(Promise.resolve(told), signal).then(
    (decision) => decision.event,
    () => undefined,
  );
  if (event?.entries && event.entries.length > 0) run.appendDrafts(event.entries);
  return event?.continue === true && run.boundaryContext().canContinue;
}

/** How something came to its end, in Pi's words. */
export function outcomeOf(
  message: AssistantMessage | undefined,
  signal: AbortSignal,
): "completed" | "aborted" | "error" {
  if (signal.aborted || message?.stopReason === "aborted") return "aborted";
  return message?.stopReason === "error" ? "error" : "completed";
}
