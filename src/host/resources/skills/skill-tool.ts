import { Type } from "typebox";
import type { BuiltinTool } from "../../../tools/index.ts";
import type { Skill } from "./find-skills.ts";
import { skillText } from "./load-skill.ts";

/** The name that transcripts of other agents have too, so that uses are found the same way. */
export const SKILL_TOOL = "Skill";

const parameters = Type.Object({
  skill: Type.String({ description: "The skill's name" }),
  args: Type.Optional(Type.String({ description: "What the skill is to work on" })),
});

export interface SkillToolDetails {
  skill: string;
  path: string;
}

export interface SkillUse {
  skill: Skill;
  toolCallId: string;
  args: string;
}

/** Lets the model read a skill. `onUse` is told of each use that worked. */
export function skillTool(
  getSkills: () => readonly Skill[],
  onUse: (use: SkillUse) => void,
): BuiltinTool<typeof parameters, SkillToolDetails> {
  return {
    name: SKILL_TOOL,
    label: "Skill",
    description:
      "Read the instructions of a skill by its name, before starting work that the skill is for.",
    promptSnippet: "Read the instructions of a skill",
    parameters,
    async execute(toolCallId, { skill: asked, args = "" }) {
      const usable = getSkills().filter((skill) => !skill.disableModelInvocation);
      // Models copy the form in which users call a skill.
      const name = asked.trim().replace(/^\/?(skill:)?/, "");
      const skill = usable.find((one) => one.name === name);
      if (!skill) throw new Error(`There is no skill "${asked}". ${namesOf(usable)}`);
      const text = skillText(skill, args.trim());
      onUse({ skill, toolCallId, args: args.trim() });
      return {
        content: [{ type: "text", text }],
        details: { skill: skill.name, path: skill.filePath },
      };
    },
  };
}

function namesOf(skills: readonly Skill[]): string {
  if (skills.length === 0) return "There are no skills here.";
  return `The skills are: ${skills.map(({ name }) => name).join(", ")}.`;
}
