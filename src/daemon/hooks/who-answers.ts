import type { HookSupport, Outcome, Payload } from "../../agents/index.ts";

interface Call {
  readonly hook: string;
  readonly payload: Payload;
  readonly hooks: Pick<HookSupport, "canAsk">;
}

/**
 * Who is asked whether a tool call may run: the user of the agent, in the agent's own dialog, or
 * nobody. Everything that can put a question to a person is chosen here and nowhere else.
 */
export function whoAnswers({ hook, payload, hooks }: Call, outcome: Outcome): "agent" | "nobody" {
  return hooks.canAsk(hook, outcome, payload) ? "agent" : "nobody";
}
