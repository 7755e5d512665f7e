import type { AgentMessage, ToolCall } from "../../events/index.ts";
import type { ToolResult } from "../../tools/index.ts";
import { abortable } from "./abortable.ts";
import { toolResultMessage } from "./messages.ts";
import type { RunContext } from "./run-context.ts";

/** As much of a run as it takes to write something down. */
export type Recording = Pick<
  RunContext,
  "emitter" | "sessionId" | "signal" | "round" | "append" | "assertGoing"
>;

/** Puts a message into the conversation: announced, changed by whoever may, stored. */
export async function recordMessage<M extends AgentMessage>(
  run: Recording,
  message: M,
  options: { announced?: boolean } = {},
): Promise<{ message: M; entryId: string }> {
  const { emitter } = run;
  if (!options.announced) emitter.emit({ type: "message_start", message });
  const final = await endMessage(run, message);
  const entryId = run.append(final);
  // At once: the loop may never hear of it.
  if (final.role === "assistant") run.round.answer = { message: final, entryId };
  return { message: final, entryId };
}

/** The message after message_end. After an abort nobody is asked: it must not get lost. */
async function endMessage<M extends AgentMessage>(run: Recording, message: M): Promise<M> {
  const decision = await run.emitter.emit({ type: "message_end", message }, run.signal);
  // Dispatch made sure that it has the same role and what belongs to it.
  return decision.event.message as M;
}

/** Tells that a tool call begins. */
export function beginCall({ emitter, round }: Recording, call: ToolCall): void {
  round.begun.add(call.id);
  const { id: toolCallId, name: toolName, arguments: args } = call;
  emitter.emit({ type: "tool_execution_start", toolName, toolCallId, args });
}

/** Tells that it ended, whatever became of it. */
export function endCall(
  { emitter, round }: Recording,
  call: ToolCall,
  result: ToolResult,
  blocked?: { reason: string; by?: string },
): void {
  round.ended.set(call.id, result);
  emitter.emit({
    type: "tool_execution_end",
    toolName: call.name,
    toolCallId: call.id,
    result,
    isError: result.isError === true,
    ...(blocked && { blocked }),
  });
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
  const { emitter, sessionId, round } = run;
  run.assertGoing();
  const message = toolResultMessage(call, result);
  emitter.emit({ type: "message_start", message });
  const final = await endMessage(run, message);
  run.assertGoing();
  const persist = {
    sessionKey: sessionId,
    agentId: "seam",
    toolName: call.name,
    toolCallId: call.id,
    ...(round.inputs.get(call.id) ?? { toolInput: call.arguments }),
    messageId: answerId,
  };
  const told = emitter.tellFirst({ type: "before_tool_call_persist", ...persist });
  if (told) {
    // An abort does not wait for them, and the result must not get lost.
    await abortable(told, run.signal).catch(() => {});
    run.assertGoing();
  }
  run.append(final);
  round.results.push(final);
  const { content, details, isError } = final;
  const toolResult = { content, details, isError };
  emitter.emit({ type: "after_tool_call_persist", ...persist, toolResult });
  return final;
}

/** Tells that the round is over, once. */
export function endRound({ emitter, round }: Recording): void {
  if (!round.isOpen || !round.answer) return;
  round.isOpen = false;
  const { turnIndex, results, answer } = round;
  emitter.emit({
    type: "turn_end",
    turnIndex,
    message: answer.message,
    toolResults: [...results],
  });
}
