import { messageOf } from "../../../errors/index.ts";
import { readMarkdown } from "../find/find-markdown.ts";
import type { Skill } from "./find-skills.ts";

/** What a skill says, without its head. Read each time: a skill may be edited while it is in use. */
export function loadSkill({ name, filePath }: Skill): string {
  try {
    return readMarkdown(filePath).body;
  } catch (cause) {
    throw new Error(`The skill "${name}" cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** A skill as the model gets to see it, with what it was called with. */
export function skillText(skill: Skill, args = ""): string {
  const { name, baseDir } = skill;
  const text = `<skill name="${name}" folder="${baseDir}">\nPaths in this skill start from its folder.\n\n${loadSkill(skill)}\n</skill>`;
  return args === "" ? text : `${text}\n\n${args}`;
}
