import type { TranscriptEntry } from "./entry.ts";
import { compact, type Json, text } from "./json.ts";

/** What a `tool_result` block says, in transcripts whose messages are like Anthropic's. */
export function resultIn(block: Json): NonNullable<TranscriptEntry["tool"]> {
  return compact({
    name: "",
    nativeName: "",
    callId: text(block.tool_use_id),
    output: block.content,
    isError: block.is_error === true,
  });
}
