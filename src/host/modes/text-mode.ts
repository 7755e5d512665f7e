import type { AssistantMessage } from "../../events/index.ts";
import type { Agent } from "../agent.ts";

export interface TextOutput {
  /** The answer. */
  out(text: string): void;
  /** What goes on meanwhile. */
  note(text: string): void;
  /** What goes wrong. */
  problem(text: string): void;
}

/** One prompt; the answer is written as it comes. False if there was none. */
export async function runText(agent: Agent, prompt: string, output: TextOutput): Promise<boolean> {
  let atLineStart = true;
  let last: AssistantMessage | undefined;
  const write = (text: string) => {
    if (text === "") return;
    output.out(text);
    atLineStart = text.endsWith("\n");
  };
  const unsubscribe = agent.subscribe((event) => {
    if (event.type === "message_update") {
      const step = event.assistantMessageEvent;
      if (step.type === "text_delta") write(step.delta);
      else if (step.type === "text_end" && !atLineStart) write("\n");
    } else if (event.type === "message_end" && event.message.role === "assistant") {
      last = event.message;
    } else if (event.type === "tool_execution_start") {
      output.note(`${event.toolName} ${summary(event.args)}`);
    } else if (event.type === "auto_retry_start") {
      output.problem(
        `${event.errorMessage} Trying again in ${Math.round(event.delayMs / 1000)} s.`,
      );
    } else if (event.type === "auto_compaction_start") {
      output.note("The conversation is getting long: compacting it.");
    }
  });
  try {
    await agent.prompt(prompt);
    await agent.waitForIdle();
  } finally {
    unsubscribe();
  }
  if (!atLineStart) write("\n");
  if (last?.stopReason !== "error" && last?.stopReason !== "aborted") return !agent.lastError;
  output.problem(last.errorMessage ?? "The model gave no answer.");
  return false;
}

function summary(args: unknown): string {
  const text = JSON.stringify(args) ?? "";
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
