import type { AgentMessage, ToolCall } from "../../events/index.ts";
import type { ToolResult } from "../../tools/index.ts";
import { toolResultMessage } from "./messages.ts";
import type { RunContext } from "./run-context.ts";

/** Puts a message into the conversation: announced, changed by whoever may, stored. */
export async function recordMessage<M extends AgentMessage>(
  run: RunContext,
  message: M,
  options: { announced?: boolean } = {},
): Promise<{ message: M; entryId: string }> {
  const { emitter } = run;
  if (!options.announced) emitter.emit({ type: "message_start", message });
  const final = await endMessage(run, message);
  return { message: final, entryId: run.append(final) };
}

/** The message after message_end. An abort must not lose it, so this one does not listen to it. */
async function endMessage<M extends AgentMessage>(run: RunContext, message: M): Promise<M> {
  const decision = await run.emitter.emit({ type: "message_end", message }, run.signal);
  // Dispatch made sure that the role is the same.
  return decision.event.message as M;
}

/**
 * The one way a tool result gets into the session, whatever became of the call: before and after
 * it is written, extensions are told.
 */
export async function recordToolResult(
  run: RunContext,
  call: ToolCall,
  answerId: string,
  result: ToolResult,
) {
  const { emitter, sessionId } = run;
  const message = toolResultMessage(call, result);
  emitter.emit({ type: "message_start", message });
  const final = await endMessage(run, message);
  const persist = {
    sessionKey: sessionId,
    agentId: "seam",
    toolName: call.name,
    toolCallId: call.id,
    toolInput: call.arguments,
    messageId: answerId,
  };
  emitter.emit({ type: "before_tool_call_persist", ...persist });
  run.append(final);
  const { content, details, isError } = final;
  const toolResult = { content, details, isError };
  emitter.emit({ type: "after_tool_call_persist", ...persist, toolResult });
  return final;
}
