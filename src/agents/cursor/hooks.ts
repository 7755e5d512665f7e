import { fixture } from "../hooks/answering.ts";
import { contentOf } from "../hooks/content.ts";
import { defineHooks } from "../hooks/define-hooks.ts";
import { AFTER_TOOL, BEFORE_TOOL, PROMPT, STOP } from "../hooks/event-lists.ts";
import { parsedRecord, recordOf } from "../hooks/fields.ts";
import { quirks } from "./quirks.ts";
import { tools } from "./tools.ts";

const CONTEXT = (text: string) => ({ say: { additional_context: text } });

const outputOf = (output: unknown) =>
  typeof output === "string" ? parsedRecord(output) : recordOf(output);

export const hooks = defineHooks({
  agent: "cursor",
  tools,
  quirks,
  style: {
    sessionId: ["conversation_id", "session_id"],
    cwd: ["cwd", "workspace_root"],
    transcriptPath: ["transcript_path"],
    turnId: ["generation_id"],
    model: ["model"],
    metadata: { is_background_agent: ["is_background_agent"], composer_mode: ["composer_mode"] },
    prompt: ["prompt"],
    tool: {
      name: ["tool_name"],
      input: ["tool_input"],
      callId: ["tool_use_id"],
      output: ["tool_output"],
      error: ["error_message"],
    },
    subagent: {
      id: ["subagent_id"],
      toolCallId: ["tool_call_id"],
      type: ["subagent_type"],
      task: ["task"],
      transcriptPath: ["agent_transcript_path"],
      lastMessage: ["summary"],
    },
    compaction: { trigger: ["trigger"] },
  },
  content(output) {
    const said = outputOf(output)?.output;
    return contentOf(typeof said === "string" ? said : output);
  },
  failed: (_, { tool_output }) => {
    const code = outputOf(tool_output)?.exitCode;
    return typeof code === "number" && code !== 0;
  },
  hooks: {
    sessionStart: { events: ["session_start"], arrives: "fixture" },
    beforeSubmitPrompt: {
      events: PROMPT,
      arrives: "fixture",
      says: {
        block_prompt: fixture((reason) => ({ say: { continue: false, user_message: reason } })),
      },
    },
    preToolUse: {
      events: BEFORE_TOOL,
      arrives: "fixture",
      says: {
        // The model is told user_message, in spite of its name; agent_message it never sees.
        block: fixture((reason) => ({ say: { permission: "deny", user_message: reason } })),
        rewrite_input: fixture((input) => ({
          say: { permission: "allow", updated_input: input },
        })),
      },
    },
    postToolUse: {
      events: AFTER_TOOL,
      arrives: "fixture",
      says: { add_context: fixture(CONTEXT) },
    },
    postToolUseFailure: {
      events: AFTER_TOOL,
      arrives: "fixture",
      skip: ({ failure_type }) => failure_type === "permission_denied",
    },
    subagentStart: { events: ["subagent_start"], arrives: "fixture" },
    subagentStop: { events: ["subagent_end"], arrives: "fixture" },
    preCompact: { events: ["session_before_compact"], arrives: "fixture" },
    stop: {
      events: STOP,
      arrives: "fixture",
      says: { continue: fixture((text) => ({ say: { followup_message: text } })) },
    },
    sessionEnd: { events: ["session_shutdown"], arrives: "fixture" },
  },
  refine(reading, _, payload) {
    const [root] = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : [];
    return {
      ...reading,
      ...(reading.cwd === undefined && typeof root === "string" && { cwd: root }),
      ...(payload.status === "aborted" && { aborted: true }),
    };
  },
});
