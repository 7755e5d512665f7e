import type { TranscriptEntry } from "../transcripts/entry.ts";
import { compact, type Json, record, text } from "../transcripts/json.ts";
import { textOf } from "../transcripts/text-blocks.ts";
import { usageOf } from "./usage-line.ts";

/** What Codex itself, not the user, puts into a thread. */
const INJECTED =
  /^\s*<(?:environment_context|user_instructions|hook_prompt|turn_aborted|subagent_notification|user_shell_command)/;
const LAST_PROMPT = "prompt";

/** Something that happened. Only here is what the user typed told apart from what was added. */
export function eventOf(
  event: Json,
  common: Pick<TranscriptEntry, "id" | "at">,
  seen: Map<string, unknown>,
): TranscriptEntry[] {
  switch (event.type) {
    case "item_completed": {
      const item = record(event.item);
      if (item.type !== "UserMessage") break;
      const id = text(item.id);
      return promptOf(textOf(item.content), compact({ ...common, id }), seen);
    }
    case "user_message":
      return promptOf(text(event.message), common, seen);
    case "token_count": {
      const { last_token_usage, total_token_usage } = record(event.info);
      return usageOf(last_token_usage, total_token_usage, common);
    }
    case "turn_aborted":
      return [{ ...common, kind: "other", interrupts: true }];
    case "thread_name_updated":
      return [compact({ ...common, kind: "other" as const, summary: text(event.thread_name) })];
  }
  return [{ ...common, kind: "other" }];
}

/** Versions differ in how they tell a prompt; one that tells it both ways has it once. */
function promptOf(
  prompt: string | undefined,
  common: Pick<TranscriptEntry, "id" | "at">,
  seen: Map<string, unknown>,
): TranscriptEntry[] {
  const isAgain = seen.get(LAST_PROMPT) === prompt;
  if (prompt === undefined || isAgain || INJECTED.test(prompt)) {
    return [{ ...common, kind: "other" }];
  }
  seen.set(LAST_PROMPT, prompt);
  return [{ ...common, kind: "user", text: prompt }];
}

/** From the first answer on the same words are a new prompt. */
export function promptIsAnswered(seen: Map<string, unknown>): void {
  seen.delete(LAST_PROMPT);
}
