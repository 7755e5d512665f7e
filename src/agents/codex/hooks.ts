import { fixture, real } from "../hooks/answering.ts";
import {
  ALLOW_WITH,
  BLOCK,
  CLAUDE_STYLE,
  CLAUDE_SUBAGENT,
  CONTEXT,
  DENY,
  isCompaction,
  isFromSubagent,
  SYSTEM_MESSAGE,
} from "../hooks/claude-dialect.ts";
import { defineHooks } from "../hooks/define-hooks.ts";
import { AFTER_TOOL, BEFORE_TOOL, PROMPT, STOP } from "../hooks/event-lists.ts";
import type { Reading } from "../hooks/reading.ts";
import { quirks } from "./quirks.ts";
import { tools } from "./tools.ts";

export const hooks = defineHooks({
  agent: "codex",
  tools,
  quirks,
  style: {
    ...CLAUDE_STYLE,
    ...CLAUDE_SUBAGENT,
    turnId: ["turn_id"],
    model: ["model"],
  },
  failed: ({ nativeName }, { tool_response }) =>
    nativeName === "apply_patch" && /^Exit code: [1-9]/.test(String(tool_response)),
  hooks: {
    SessionStart: {
      events: ["session_start"],
      arrives: "real",
      says: { add_context: real(CONTEXT), message: fixture(SYSTEM_MESSAGE) },
      skip: isCompaction,
    },
    UserPromptSubmit: {
      events: PROMPT,
      arrives: "real",
      says: {
        block_prompt: real(BLOCK),
        add_context: real(CONTEXT),
        message: fixture(SYSTEM_MESSAGE),
      },
      skip: isFromSubagent,
    },
    PreToolUse: {
      events: BEFORE_TOOL,
      arrives: "real",
      says: {
        block: real(DENY),
        rewrite_input: real(ALLOW_WITH),
        add_context: real(CONTEXT),
        message: fixture(SYSTEM_MESSAGE),
      },
    },
    PostToolUse: {
      events: AFTER_TOOL,
      arrives: "real",
      says: {
        // The reason takes the place of the output, and must not be empty.
        replace_result: real(({ text }) => BLOCK(text.trim() === "" ? "(no output)" : text)),
        add_context: real(CONTEXT),
        message: fixture(SYSTEM_MESSAGE),
      },
    },
    SubagentStart: { events: ["subagent_start"], arrives: "real" },
    SubagentStop: { events: ["subagent_end"], arrives: "real" },
    Stop: { events: STOP, arrives: "real", says: { continue: real(BLOCK) } },
    Interrupt: { events: STOP, arrives: "fixture" },
    PreCompact: { events: ["session_before_compact"], arrives: "real" },
    PostCompact: { events: ["session_compact"], arrives: "real" },
    SessionEnd: { events: ["session_shutdown"], arrives: "real" },
  },
  refine(reading, hook) {
    const own = ownTranscript(reading);
    return hook === "Interrupt" ? { ...own, aborted: true } : own;
  },
});

/** What comes from a subagent names its own transcript and turn where the parent's should be. */
function ownTranscript(reading: Reading): Reading {
  const child = reading.inSubagent?.id ?? reading.subagent?.id;
  if (child === undefined) return reading;
  const { transcriptPath, turnId: _, ...rest } = reading;
  if (!transcriptPath?.includes(child)) {
    return transcriptPath === undefined ? rest : { ...rest, transcriptPath };
  }
  return reading.subagent ? { ...rest, subagent: { transcriptPath, ...reading.subagent } } : rest;
}
