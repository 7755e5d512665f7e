import { messageOf } from "../../errors/index.ts";
import { textOfContent } from "../../events/index.ts";
import type { ExecuteToolOptions, ToolCallOutcome } from "../../extensions/index.ts";
import { isRecord } from "../../values/index.ts";
import type { ActiveTool } from "../tools/active-tool.ts";
import { type Call, execute, prepare } from "./call-tools.ts";
import type { RunContext } from "./run-context.ts";

/** Longer arguments are not kept in the session a second time. */
const MOST_ARGUMENT_BYTES = 4_096;
const MOST_ERROR_LENGTH = 500;

/**
 * A call that a running tool makes of another one: checked, asked about and told of like one of the
 * model's. Never rejects.
 */
export async function nestedCall(
  run: RunContext,
  tools: ReadonlyMap<string, ActiveTool>,
  { callerId, name, args }: { callerId: string; name: string; args: unknown },
  { signal = run.signal, onUpdate }: ExecuteToolOptions,
): Promise<ToolCallOutcome> {
  const given = isRecord(args) ? { ...args } : {};
  const note = run.round.nest(callerId, name, kept(given));
  const call: Call = {
    type: "toolCall",
    id: note.id,
    name,
    arguments: given,
    parentToolCallId: callerId,
  };
  const own: RunContext = { ...run, signal: AbortSignal.any([run.signal, signal]) };
  const { parentToolCallId: _, ...toolCall } = call;
  try {
    const next = await prepare(own, call, tools);
    const { result } = "result" in next ? next : await execute(own, next, onUpdate);
    const isError = result.isError === true;
    const durationMs = run.round.durationOf(call.id);
    note.status = isError ? "error" : "ok";
    if (isError) note.error = textOfContent(result.content).slice(0, MOST_ERROR_LENGTH);
    else note.durationMs = durationMs;
    const ran = "result" in next ? {} : { durationMs };
    return { toolCall, result, isError, ...ran };
  } catch (thrown) {
    const text = messageOf(thrown);
    note.status = "error";
    note.error = text.slice(0, MOST_ERROR_LENGTH);
    return {
      toolCall,
      result: { content: [{ type: "text", text }], isError: true },
      isError: true,
    };
  }
}

function kept(args: Record<string, unknown>) {
  const argumentsBytes = Buffer.byteLength(JSON.stringify(args));
  return argumentsBytes > MOST_ARGUMENT_BYTES ? { argumentsBytes } : { arguments: args };
}
