import { expect, it } from "vitest";
import type { SkillEvent } from "../../events/index.ts";
import { skillLines } from "./show-turn.ts";

const use = (name: string, event_type: SkillEvent["event_type"]): SkillEvent => ({
  event_type,
  skill: { name },
  source: { agent: "gemini", signal: "skill_tool_use", confidence: "explicit" },
});

it("each skill is named once, with how often and by whom it was used", () => {
  const greet = use("greet", "tool_invocation");
  expect(skillLines([greet, use("greet", "prompt_invocation"), greet])).toEqual([
    "greet (by the model, 2 times)",
    "greet (by the user)",
  ]);
});
