import { real } from "../hooks/answering.ts";
import {
  ALLOW_WITH,
  BLOCK,
  CLAUDE_STYLE,
  CONTEXT,
  DENY,
  END_TURN,
  isCompaction,
} from "../hooks/claude-dialect.ts";
import { defineHooks } from "../hooks/define-hooks.ts";
import { AFTER_TOOL, BEFORE_TOOL, PROMPT, STOP } from "../hooks/event-lists.ts";
import { quirks } from "./quirks.ts";
import { tools } from "./tools.ts";

const EXIT_CODE = /\[Process exited with code [1-9]\d*\]\s*$/;

export const hooks = defineHooks({
  agent: "factoryai-droid",
  tools,
  quirks,
  hidesPrompts: true,
  style: { ...CLAUDE_STYLE, startedBy: ["calling_session_id"] },
  failed: ({ name }, { tool_response }) => name === "bash" && EXIT_CODE.test(String(tool_response)),
  hooks: {
    SessionStart: {
      events: ["session_start"],
      arrives: "real",
      says: { add_context: real(CONTEXT) },
      skip: isCompaction,
    },
    UserPromptSubmit: {
      events: PROMPT,
      arrives: "real",
      says: {
        block_prompt: real((reason) => ({ exit: 2, stderr: reason })),
        add_context: real(CONTEXT),
      },
    },
    PreToolUse: {
      events: [...BEFORE_TOOL, "subagent_start", "skill_invoked"],
      arrives: "real",
      says: {
        block: real(DENY),
        rewrite_input: real(ALLOW_WITH),
        interrupt: real(END_TURN),
      },
    },
    PostToolUse: {
      events: [...AFTER_TOOL, "subagent_end"],
      arrives: "real",
      says: { add_context: real(CONTEXT) },
    },
    Notification: { events: [], arrives: "fixture" },
    Stop: { events: STOP, arrives: "real", says: { continue: real(BLOCK) } },
    SessionEnd: { events: ["session_shutdown"], arrives: "real" },
  },
  refine(reading, _, { tool_response }) {
    // The first line of what the Task tool answers.
    const [, id] = /^session_id: (\S+)/.exec(String(tool_response)) ?? [];
    const { subagent } = reading;
    return subagent && id !== undefined ? { ...reading, subagent: { ...subagent, id } } : reading;
  },
});
