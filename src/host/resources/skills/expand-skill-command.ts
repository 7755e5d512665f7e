import { SeamError } from "../../../errors/index.ts";
import { nearest } from "../../../events/index.ts";
import type { Skill } from "./find-skills.ts";
import { skillText } from "./load-skill.ts";

export interface ExpandedSkill {
  skill: Skill;
  /** The name as it was typed, with its slash. */
  command: string;
  args: string;
  /** The message that takes the place of the command. */
  text: string;
}

const COMMAND = /^\s*(\/skill:(\S+))([\s\S]*)$/;

/**
 * "/skill:name what to do with it" as the message it stands for. Undefined if the text is not such
 * a command or nobody knows the skill; throws if its file has become unreadable.
 */
export function expandSkillCommand(
  text: string,
  skills: readonly Skill[],
): ExpandedSkill | undefined {
  const [, command, name, rest = ""] = COMMAND.exec(text) ?? [];
  const skill = skills.find((one) => one.name === name);
  if (!skill || !command) return undefined;
  const args = rest.trim();
  return { skill, command, args, text: skillText(skill, args) };
}

/** For a command that names a skill nobody knows: what to say. */
export function unknownSkill(text: string, skills: readonly Skill[]): SeamError | undefined {
  const [, , name] = COMMAND.exec(text) ?? [];
  if (name === undefined) return undefined;
  const names = skills.map((skill) => skill.name);
  if (names.includes(name)) return undefined;
  const close = nearest(name, names);
  const list = names.length > 0 ? `There are: ${names.join(", ")}.` : "There are none.";
  const hint = close === undefined ? list : `Did you mean /skill:${close}?`;
  return new SeamError("SEAM_SKILL_UNKNOWN", { name, hint });
}
