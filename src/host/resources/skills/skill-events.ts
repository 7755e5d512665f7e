import type { SkillEvent } from "../../../events/index.ts";
import { SKILL_TOOL } from "./skill-tool.ts";

interface Invocation {
  /** The skill's name. */
  skill: string;
  /** The agent's name in the registry. */
  agent?: string;
  turnId?: string;
  /** ISO 8601. */
  timestamp?: string;
  entryId?: string;
  /** The line of the transcript that holds the entry, where it is known. */
  line?: number;
}

export interface ToolInvocation extends Invocation {
  toolUseId: string;
}

export interface PromptInvocation extends Invocation {
  timestamp: string;
  /** As it was typed, such as "/skill:review". */
  command: string;
  /** Tells apart uses of one skill at one time. */
  n?: number;
}

const SEAM = "seam";

/** The model called the skill tool. The call and its result can be folded away. */
export function toolInvocation(use: ToolInvocation): SkillEvent {
  const { skill, agent = SEAM, toolUseId } = use;
  return {
    id: `${agent}-skill-${toolUseId}`,
    event_type: "tool_invocation",
    skill: { name: skill },
    source: { agent, signal: "skill_tool_use", confidence: "explicit" },
    ...whenAndWhere(use, toolUseId),
    native: { tool_name: SKILL_TOOL, tool_use_id: toolUseId },
    collapse: { target: "tool_pair", label: `Skill: ${skill}`, default_collapsed: true },
  };
}

/** The user called a skill by name. The message it was expanded to can be folded away. */
export function promptInvocation(use: PromptInvocation): SkillEvent {
  const { skill, agent = SEAM, command, timestamp, n = 0 } = use;
  return {
    id: `${agent}-skill-${skill}-${timestamp}-${n}`,
    event_type: "prompt_invocation",
    skill: { name: skill },
    source: { agent, signal: "input_slash_command", confidence: "explicit" },
    ...whenAndWhere(use),
    native: { command },
    collapse: { target: "user_message", label: command, default_collapsed: true },
  };
}

/** An anchor without a line would point nowhere, so there is none. */
function whenAndWhere(
  { turnId, timestamp, entryId, line }: Invocation,
  toolUseId?: string,
): Partial<SkillEvent> {
  return {
    ...(turnId !== undefined && { turn_id: turnId }),
    ...(timestamp !== undefined && { timestamp }),
    ...(line !== undefined && {
      transcript_anchor: {
        unit: "line",
        start: line,
        end: line + 1,
        ...(entryId !== undefined && { entry_ids: [entryId] }),
        ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
      },
    }),
  };
}
