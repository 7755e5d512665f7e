import type { SkillEvent } from "../../events/index.ts";
import type { ToolReading } from "./reading.ts";

/** Who says that a skill was used. */
export interface SkillSource {
  readonly agent: string;
  /** What ids of this agent's skill events begin with; its name, unless agreed on otherwise. */
  readonly skillIds?: string;
}

const prefixOf = ({ agent, skillIds = agent }: SkillSource) => `${skillIds}-skill-`;

/** The model called the agent's skill tool. Nothing else the model does counts as using a skill. */
export function skillOfTool(
  source: SkillSource,
  tool: ToolReading | undefined,
): SkillEvent | undefined {
  const skill = tool?.name === "skill" ? tool.input.name : undefined;
  if (!tool || typeof skill !== "string" || skill === "") return undefined;
  return {
    // An id that Seam made up is not in the transcript, so it would hide no duplicate.
    ...(!tool.madeUpId && { id: `${prefixOf(source)}${tool.callId}` }),
    event_type: "tool_invocation",
    skill: { name: skill },
    source: { agent: source.agent, signal: "skill_tool_use", confidence: "explicit" },
    native: {
      tool_name: tool.nativeName,
      ...(!tool.madeUpId && { tool_use_id: tool.callId }),
    },
    collapse: { target: "tool_pair", label: `Skill: ${skill}`, default_collapsed: true },
  };
}

interface TypedSkill {
  readonly skill: string;
  /** As it was typed, without arguments: "/skill:review". */
  readonly command: string;
  /** What tells this use from others, if the agent says. */
  readonly key?: string;
  readonly timestamp?: string;
}

/** The user called a skill by name. */
export function skillOfPrompt(source: SkillSource, typed: TypedSkill): SkillEvent {
  const { skill, command, key, timestamp } = typed;
  return {
    ...(key !== undefined && { id: `${prefixOf(source)}${skill}-${key}` }),
    event_type: "prompt_invocation",
    skill: { name: skill },
    source: { agent: source.agent, signal: "input_slash_command", confidence: "explicit" },
    ...(timestamp !== undefined && { timestamp }),
    native: { command },
    collapse: { target: "user_message", label: command, default_collapsed: true },
  };
}
