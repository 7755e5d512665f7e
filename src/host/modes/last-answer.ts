import type { AssistantMessage } from "../../events/index.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";
import type { Prompt } from "../prompt-input.ts";

interface Output {
  out(text: string): void;
  problem(text: string): void;
}

/** Prompts, one after the other; nothing but the last answer is written, as Pi does it. */
export async function runLastAnswer(
  agent: EmbeddedAgent,
  prompts: readonly Prompt[],
  { out, problem }: Output,
): Promise<boolean> {
  let last: AssistantMessage | undefined;
  const unsubscribe = agent.subscribe((event) => {
    if (event.type === "message_end" && event.message.role === "assistant") last = event.message;
  });
  try {
    for (const { text, images } of prompts) {
      await agent.prompt(text, images ? { images } : {});
      await agent.waitForIdle();
    }
  } finally {
    unsubscribe();
  }
  if (last?.stopReason === "error" || last?.stopReason === "aborted") {
    problem(last.errorMessage ?? "The answer was interrupted.");
    return false;
  }
  for (const block of last?.content ?? []) if (block.type === "text") out(`${block.text}\n`);
  return !agent.lastError;
}
