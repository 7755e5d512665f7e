import { real } from "../hooks/answering.ts";
import {
  ASK,
  BLOCK,
  CLAUDE_STYLE,
  CLAUDE_SUBAGENT,
  CONTEXT,
  DENY,
  END_TURN,
  isCompaction,
  SYSTEM_MESSAGE,
  specific,
} from "../hooks/claude-dialect.ts";
import { withContent } from "../hooks/content.ts";
import { defineHooks } from "../hooks/define-hooks.ts";
import { AFTER_TOOL, BEFORE_TOOL, PROMPT, STOP } from "../hooks/event-lists.ts";
import { textAt } from "../hooks/fields.ts";
import type { Payload } from "../hooks/hook-support.ts";
import type { Reading } from "../hooks/reading.ts";
import { skillOfPrompt } from "../hooks/skills.ts";
import { isOwnCommand } from "./own-command.ts";
import { quirks } from "./quirks.ts";
import { tools } from "./tools.ts";

const source = { agent: "claude-code", skillIds: "claude" } as const;

export const hooks = defineHooks({
  ...source,
  tools,
  quirks,
  style: {
    ...CLAUDE_STYLE,
    ...CLAUDE_SUBAGENT,
    tool: { ...CLAUDE_STYLE.tool, error: ["error"] },
    turnId: ["prompt_id"],
    model: ["model"],
  },
  hooks: {
    SessionStart: {
      events: ["session_start", "session_compact"],
      arrives: "real",
      says: { add_context: real(CONTEXT), message: real(SYSTEM_MESSAGE) },
    },
    UserPromptExpansion: { events: ["skill_invoked"], arrives: "real" },
    UserPromptSubmit: {
      events: PROMPT,
      arrives: "real",
      says: { block_prompt: real(BLOCK), add_context: real(CONTEXT) },
    },
    // Claude Code cannot end a turn here: beside a deny it ignores the wish, and without one the
    // call runs.
    PreToolUse: {
      events: [...BEFORE_TOOL, "skill_invoked"],
      arrives: "real",
      says: {
        block: real(DENY),
        // There is no "allow" here, so that Claude Code still asks its user about the changed call.
        rewrite_input: real(specific<"rewrite_input">((updatedInput) => ({ updatedInput }))),
        ask: real(ASK),
        add_context: real(CONTEXT),
        message: real(SYSTEM_MESSAGE),
      },
    },
    PostToolUse: {
      events: AFTER_TOOL,
      arrives: "real",
      says: {
        replace_result: real(({ content }, { hook, payload }) => {
          // Claude Code refuses an output that has not the shape of the tool's own.
          const updatedToolOutput = withContent(payload.tool_response, content);
          return updatedToolOutput === undefined
            ? undefined
            : { say: { hookSpecificOutput: { hookEventName: hook, updatedToolOutput } } };
        }),
        add_context: real(CONTEXT),
        interrupt: real(END_TURN),
      },
    },
    PostToolUseFailure: {
      events: AFTER_TOOL,
      arrives: "real",
      says: { add_context: real(CONTEXT) },
    },
    // Claude Code fires it six seconds after its dialog appeared, if nobody has answered by then.
    Notification: { events: [], arrives: "fixture" },
    SubagentStart: {
      events: ["subagent_start"],
      arrives: "real",
      says: { add_context: real(CONTEXT) },
    },
    SubagentStop: {
      events: ["subagent_end"],
      arrives: "real",
      skip: ({ agent_type }) => agent_type === "",
    },
    Stop: { events: STOP, arrives: "real", says: { continue: real(BLOCK) } },
    StopFailure: { events: STOP, arrives: "real" },
    PreCompact: {
      events: ["session_before_compact"],
      arrives: "real",
      says: { cancel: real(BLOCK) },
    },
    SessionEnd: { events: ["session_shutdown"], arrives: "real" },
  },
  refine(reading, hook, payload) {
    if (hook === "SessionStart") return startOrCompaction(reading, payload);
    if (hook === "UserPromptExpansion") return { ...reading, ...typedSkill(payload, reading) };
    return hook === "UserPromptSubmit" ? withoutNotification(reading) : reading;
  },
});

/** The session that goes on after a compaction is announced like a new one. */
function startOrCompaction({ start, compaction, ...rest }: Reading, payload: Payload): Reading {
  if (isCompaction(payload)) return compaction ? { ...rest, compaction } : rest;
  return start ? { ...rest, start } : rest;
}

/** When a task in the background ends, Claude Code tells the model in the place of a prompt. */
function withoutNotification(reading: Reading): Reading {
  const { prompt, ...rest } = reading;
  return prompt?.trimStart().startsWith("<task-notification>")
    ? { ...rest, unasked: true }
    : reading;
}

/** `/name` that the user typed and Claude Code is about to replace by the skill's text. */
function typedSkill(payload: Payload, reading: Reading): Pick<Reading, "skill"> {
  const skill = textAt(payload, ["command_name"]);
  if (payload.expansion_type !== "slash_command" || skill === undefined) return {};
  if (isOwnCommand(skill, reading)) return {};
  const key = textAt(payload, ["prompt_id"]);
  const command = `/${skill}`;
  return { skill: skillOfPrompt(source, { skill, command, ...(key !== undefined && { key }) }) };
}
