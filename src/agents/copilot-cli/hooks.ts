import { real } from "../hooks/answering.ts";
import { defineHooks } from "../hooks/define-hooks.ts";
import { AFTER_TOOL, BEFORE_TOOL, PROMPT, STOP } from "../hooks/event-lists.ts";
import { textAt } from "../hooks/fields.ts";
import type { Payload } from "../hooks/hook-support.ts";
import { quirks } from "./quirks.ts";
import { tools } from "./tools.ts";

const BLOCK = (reason: string) => ({ say: { decision: "block", reason } });
const CONTEXT = (text: string) => ({ say: { additionalContext: text } });

const isFromSubagent = ({ parentAgentId }: Payload) => parentAgentId !== undefined;
const EXIT_CODE = /completed with exit code [1-9]\d*>\s*$/;

export const hooks = defineHooks({
  agent: "copilot-cli",
  tools,
  quirks,
  style: {
    // A subagent has a session of its own; its parent is the one the user talks to.
    sessionId: ["parentAgentId", "sessionId", "session_id"],
    cwd: ["cwd"],
    at: ["timestamp"],
    transcriptPath: ["transcriptPath", "transcript_path"],
    inSubagent: { id: ["agentId"], type: ["agentType"] },
    start: { from: ["source"], means: { new: "startup", resume: "resume" } },
    prompt: ["prompt"],
    tool: {
      name: ["toolName", "tool_name"],
      input: ["toolArgs", "tool_input"],
      output: ["toolResult.textResultForLlm", "toolResult"],
      error: ["error"],
    },
    continued: ["stop_hook_active"],
    subagent: { id: ["agentId"], type: ["agentType"], lastMessage: ["response"] },
    notice: { kind: ["notification_type"], text: ["message"], asks: "permission_prompt" },
  },
  failed: ({ name }, payload) =>
    textAt(payload, ["toolResult.resultType"]) === "failure" ||
    (name === "bash" && EXIT_CODE.test(textAt(payload, ["toolResult.textResultForLlm"]) ?? "")),
  hooks: {
    sessionStart: {
      events: ["session_start"],
      arrives: "real",
      says: { add_context: real(CONTEXT) },
    },
    userPromptSubmitted: {
      events: PROMPT,
      arrives: "real",
      says: {
        block_prompt: real(BLOCK),
        rewrite_prompt: real((text) => ({ say: { modifiedPrompt: text } })),
        add_context: real(CONTEXT),
      },
      skip: isFromSubagent,
    },
    preToolUse: {
      events: [...BEFORE_TOOL, "skill_invoked"],
      arrives: "real",
      says: {
        block: real((reason) => ({
          say: { permissionDecision: "deny", permissionDecisionReason: reason },
        })),
        rewrite_input: real((input) => ({
          say: { permissionDecision: "allow", modifiedArgs: input },
        })),
        // Beside changed arguments it is not known which ones the user would be shown.
        ask: real((reason, { told: { input } }) =>
          input
            ? undefined
            : { say: { permissionDecision: "ask", permissionDecisionReason: reason } },
        ),
        add_context: real(CONTEXT),
      },
    },
    postToolUse: {
      events: AFTER_TOOL,
      arrives: "real",
      says: {
        replace_result: real(({ text, isError }) => ({
          say: {
            modifiedResult: {
              resultType: isError ? "failure" : "success",
              textResultForLlm: text,
            },
          },
        })),
        add_context: real(CONTEXT),
      },
    },
    postToolUseFailure: { events: AFTER_TOOL, arrives: "real" },
    agentStop: {
      events: STOP,
      arrives: "real",
      says: { continue: real(BLOCK) },
      skip: isFromSubagent,
    },
    subagentStart: { events: ["subagent_start"], arrives: "real" },
    subagentStop: { events: ["subagent_end"], arrives: "real" },
    notification: { events: [], arrives: "fixture" },
    sessionEnd: { events: ["session_shutdown"], arrives: "real" },
  },
});
