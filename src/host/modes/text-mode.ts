import type { AssistantMessage } from "../../events/index.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";
import type { Prompt } from "../prompt-input.ts";
import { saysSomething } from "./says-something.ts";

export interface TextOutput {
  /** The answer. */
  out(text: string): void;
  /** What goes on meanwhile. */
  note(text: string): void;
  /** What goes wrong. */
  problem(text: string): void;
}

/** Prompts, one after the other, until one gets no answer. */
export async function runTexts(
  agent: EmbeddedAgent,
  prompts: readonly Prompt[],
  output: TextOutput,
): Promise<boolean> {
  for (const prompt of prompts) if (!(await runText(agent, prompt, output))) return false;
  return true;
}

/** One prompt; the answer is written as it comes. False if there was none. */
export async function runText(
  agent: EmbeddedAgent,
  { text, images }: Prompt,
  output: TextOutput,
): Promise<boolean> {
  let atLineStart = true;
  let last: AssistantMessage | undefined;
  let said = false;
  let half = "";
  const write = (piece: string) => {
    // A piece of a stream may end in the middle of a character, which is written when it is whole.
    const [text = "", rest = ""] = (half + piece).split(/([\ud800-\udbff])$/);
    half = rest;
    if (text === "") return;
    output.out(text);
    atLineStart = text.endsWith("\n");
  };
  const endLine = () => {
    if (!atLineStart) write("\n");
  };
  const unsubscribe = agent.subscribe((event) => {
    if (event.type === "message_update") {
      const step = event.assistantMessageEvent;
      if (step.type === "text_delta") write(step.delta);
      else if (step.type === "text_end") endLine();
    } else if (event.type === "message_end" && event.message.role === "assistant") {
      last = event.message;
      said ||= saysSomething(last);
      // One that broke off has no end of its text; the next one must not go on in its last line.
      endLine();
    } else if (event.type === "tool_execution_start") {
      output.note(`${event.toolName} ${summary(event.args)}`);
    } else if (event.type === "tool_execution_end" && event.blocked) {
      const { by, reason } = event.blocked;
      output.note(`${event.toolName} was stopped${by === undefined ? "" : ` by ${by}`}: ${reason}`);
    } else if (event.type === "ttsr_triggered") {
      endLine();
      output.problem(`${stoppedBy(event.rules)} The model is told and tries again.`);
    } else if (event.type === "auto_retry_start") {
      output.problem(
        `${event.errorMessage} Trying again in ${Math.round(event.delayMs / 1000)} s.`,
      );
    } else if (event.type === "auto_compaction_start") {
      output.note("The conversation is getting long: compacting it.");
    }
  });
  try {
    await agent.prompt(text, images ? { images } : {});
    await agent.waitForIdle();
  } finally {
    unsubscribe();
  }
  endLine();
  const isBroken = last?.stopReason === "error" || last?.stopReason === "aborted";
  // Without a message of the model there was a command, or something that was said already.
  if (!isBroken && (said || !last)) return !agent.lastError;
  output.problem(last?.errorMessage ?? "The model gave no answer.");
  return false;
}

function stoppedBy(rules: readonly { readonly name: string }[]): string {
  const names = rules.map(({ name }) => name).join(", ");
  return `The answer was stopped by the ${rules.length > 1 ? "rules" : "rule"} ${names}.`;
}

function summary(args: unknown): string {
  const text = JSON.stringify(args) ?? "";
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
