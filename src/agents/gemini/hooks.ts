import { real } from "../hooks/answering.ts";
import { CLAUDE_STYLE, CONTEXT, END_TURN, SYSTEM_MESSAGE } from "../hooks/claude-dialect.ts";
import { contentOf } from "../hooks/content.ts";
import { defineHooks } from "../hooks/define-hooks.ts";
import { AFTER_TOOL, BEFORE_TOOL, PROMPT, STOP } from "../hooks/event-lists.ts";
import { recordOf } from "../hooks/fields.ts";
import { quirks } from "./quirks.ts";
import { tools } from "./tools.ts";

/** "deny" is the word for everything: the reason blocks, replaces or sends back to work. */
const DENY = (reason: string) => ({ say: { decision: "deny", reason } });

const EXIT_CODE = /^Exit Code: [1-9]/m;

export const hooks = defineHooks({
  agent: "gemini",
  tools,
  quirks,
  style: {
    ...CLAUDE_STYLE,
    at: ["timestamp"],
    notice: { ...CLAUDE_STYLE.notice, asks: "ToolPermission" },
    tool: { name: ["tool_name"], input: ["tool_input"], output: ["tool_response"] },
    lastMessage: ["prompt_response"],
  },
  content: (output) => contentOf(recordOf(output).llmContent ?? output),
  failed({ name }, { tool_response }) {
    const { error, llmContent } = recordOf(tool_response);
    return Boolean(error) || (name === "bash" && EXIT_CODE.test(String(llmContent)));
  },
  hooks: {
    SessionStart: {
      events: ["session_start"],
      arrives: "real",
      says: { add_context: real(CONTEXT), message: real(SYSTEM_MESSAGE) },
    },
    BeforeAgent: {
      events: PROMPT,
      arrives: "real",
      says: { block_prompt: real(DENY), add_context: real(CONTEXT) },
    },
    BeforeTool: {
      events: [...BEFORE_TOOL, "subagent_start", "skill_invoked"],
      arrives: "real",
      says: {
        block: real(DENY),
        rewrite_input: real((input) => ({ say: { hookSpecificOutput: { tool_input: input } } })),
        interrupt: real(END_TURN),
        message: real(SYSTEM_MESSAGE),
      },
    },
    AfterTool: {
      events: [...AFTER_TOOL, "subagent_end"],
      arrives: "real",
      says: {
        // What is to be known besides would be lost, so it is part of the new result.
        replace_result: real(({ text }, { told: { context } }) => {
          const said = [text, context].filter((each) => each?.trim());
          return DENY(said.length === 0 ? "(no output)" : said.join("\n\n"));
        }),
        add_context: real(CONTEXT),
      },
    },
    AfterAgent: { events: STOP, arrives: "real", says: { continue: real(DENY) } },
    Notification: { events: [], arrives: "fixture" },
    SessionEnd: { events: ["session_shutdown"], arrives: "real", repeats: true },
  },
  refine(reading, hook) {
    if (hook !== "SessionStart" || reading.start?.reason !== "resume") return reading;
    // It names a file that was only just made; the hooks that follow name the right one.
    const { transcriptPath: _, ...rest } = reading;
    return rest;
  },
});
