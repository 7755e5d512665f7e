import { toolCallsOf } from "../loop/messages.ts";
import { beginCall, endCall, endRound, type Recording, recordToolResult } from "../loop/record.ts";

/**
 * Brings a round to its end that was cut off: its open tool calls are answered, so that the
 * session is whole, and everyone is told what the loop would have told.
 */
export async function closeRound(run: Recording, reason: string): Promise<void> {
  const { round } = run;
  if (!round.isOpen || !round.answer) return;
  const { message, entryId } = round.answer;
  const text = `The call was interrupted: ${reason}`;
  const interrupted = { content: [{ type: "text" as const, text }], isError: true };
  for (const call of toolCallsOf(message)) {
    if (round.results.some(({ toolCallId }) => toolCallId === call.id)) continue;
    if (!round.begun.has(call.id)) beginCall(run, call);
    if (!round.ended.has(call.id)) endCall(run, call, interrupted);
    await recordToolResult(run, call, entryId, round.ended.get(call.id) ?? interrupted);
  }
  endRound(run);
}
