import type { AgentMessage } from "agentseam";
import type { PlanState } from "./state.ts";
import { listed } from "./steps.ts";

const HOW_TO_PLAN = `You are in plan mode: look around, ask, think, change nothing. Only reading
tools and reading shell commands work. When you know enough, end with a line "Plan:" and a numbered
list of steps, each small enough to be checked.`;
const HOW_TO_GO_ON = `Carry out the plan step by step, in order. When step n is finished and
checked, write [DONE:n]. The plan so far:`;

/** A message for the model that the user need not see. */
export function instructionsFor({ mode, steps }: PlanState) {
  if (mode === "off") return;
  const plan = `${HOW_TO_GO_ON}\n${listed(steps).join("\n")}`;
  const content = mode === "planning" ? HOW_TO_PLAN : plan;
  return { message: { customType: `plan-mode:${mode}`, content, display: false } };
}

/** Of all instructions so far, only the last ones count, and only if they fit the mode. */
export function withoutOldInstructions(messages: AgentMessage[], mode: PlanState["mode"]) {
  const isOurs = (message: AgentMessage, which: string) =>
    message.role === "custom" && message.customType.startsWith(`plan-mode:${which}`);
  const current = messages.findLastIndex((message) => isOurs(message, mode));
  return messages.filter((message, at) => !isOurs(message, "") || at === current);
}
