import type { SkillEvent } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import { type SkillSource, skillOfPrompt } from "../hooks/skills.ts";
import { compact, text as textIn } from "../transcripts/json.ts";

export const SKILLS = { agent: "claude-code", skillIds: "claude" } as const satisfies SkillSource;

/** A command the user typed. Whether it is a skill only the lines after it say. */
export interface TypedCommand {
  readonly name: string;
  /** As it was typed. */
  readonly text: string;
  readonly position: number;
  readonly id?: string;
  readonly at?: string;
  /** Of the prompt: hooks tell it too, so that both know the same skill under the same id. */
  readonly promptId?: string;
}

const KEY = "command";

/** What Claude Code makes of a typed command: `<command-name>/x</command-name>` and more. */
export function readCommand(said: string): Pick<TypedCommand, "name" | "text"> | undefined {
  if (!/^\s*<command-(?:name|message)>/.test(said)) return undefined;
  const name = /<command-name>\s*\/?([^<]+?)\s*<\/command-name>/.exec(said)?.[1];
  if (name === undefined) return undefined;
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(said)?.[1]?.trim() ?? "";
  return { name, text: args === "" ? `/${name}` : `/${name} ${args}` };
}

export function rememberCommand(seen: Map<string, unknown>, command: TypedCommand): void {
  seen.set(KEY, command);
}

/** The command typed just before, if any; asked for once. */
export function takeCommand(seen: Map<string, unknown>): TypedCommand | undefined {
  const command = seen.get(KEY);
  seen.delete(KEY);
  if (!isRecord(command) || typeof command.name !== "string") return undefined;
  if (typeof command.text !== "string" || typeof command.position !== "number") return undefined;
  const { name, text, position } = command;
  const [id, at, promptId] = [command.id, command.at, command.promptId].map(textIn);
  return compact({ name, text, position, id, at, promptId });
}

/** The skill a typed command turned out to be, from its own line to the one that shows it. */
export function typedSkill(
  command: TypedCommand,
  shown: { position: number; id?: string | undefined },
): SkillEvent {
  const { name, position, at, promptId } = command;
  const key = promptId ?? command.id;
  const ids = [command.id, shown.id].filter((id) => id !== undefined);
  const skill = skillOfPrompt(SKILLS, {
    skill: name,
    command: `/${name}`,
    ...(key !== undefined && { key }),
    ...(at !== undefined && { timestamp: at }),
  });
  const transcript_anchor = compact({
    unit: "line",
    start: position,
    end: shown.position,
    entry_ids: ids.length > 0 ? ids : undefined,
  });
  return { ...skill, transcript_anchor };
}
