import type { SeenRequest } from "./play.ts";
import type { Heard } from "./wire.ts";

export interface ToolResult {
  readonly text: string;
  readonly callId: string;
  readonly toolName?: string;
  readonly isError?: boolean;
}

/** What reached the model, each thing once, in the order in which it came. */
export interface Saw {
  readonly system: string;
  readonly userTexts: readonly string[];
  readonly toolResults: readonly ToolResult[];
  /** All of the above in one text, for "the model was never told this". */
  readonly everything: string;
}

export function modelSaw(requests: readonly SeenRequest[], subagent?: number): Saw {
  const turns = requests.filter((each) => each.kind === "turn" && each.subagent === subagent);
  const fresh = turns.flatMap(({ heard }) => sinceLastAnswer(heard));
  const system = turns
    .at(-1)
    ?.heard.filter(({ role }) => role === "system")
    .map(({ text }) => text)
    .join("\n");
  return {
    system: system ?? "",
    userTexts: fresh.filter(({ role }) => role === "user").map(({ text }) => text),
    toolResults: fresh
      .filter(({ role }) => role === "tool")
      .map(({ role: _, callId = "", ...result }) => ({ ...result, callId })),
    everything: turns.flatMap(({ heard }) => heard.map(({ text }) => text)).join("\n"),
  };
}

/** Every request repeats the conversation so far: what is new stands after the model's last words. */
function sinceLastAnswer(heard: readonly Heard[]): readonly Heard[] {
  return heard.slice(heard.findLastIndex(({ role }) => role === "assistant") + 1);
}
