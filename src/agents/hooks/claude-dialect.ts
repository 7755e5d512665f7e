import type { Wording } from "./answering.ts";
import type { Json } from "./fields.ts";
import type { PayloadStyle } from "./payload-style.ts";
import type { Power } from "./power.ts";

/** Claude Code's way to write payloads, which several agents took over. */
export const CLAUDE_STYLE = {
  sessionId: ["session_id"],
  cwd: ["cwd"],
  transcriptPath: ["transcript_path"],
  metadata: { permission_mode: ["permission_mode"] },
  start: {
    from: ["source"],
    means: { startup: "startup", resume: "resume", clear: "new", fork: "fork" },
  },
  end: { from: ["reason"], means: { clear: "new", resume: "resume" } },
  prompt: ["prompt"],
  tool: {
    name: ["tool_name"],
    input: ["tool_input"],
    callId: ["tool_use_id"],
    output: ["tool_response"],
  },
  lastMessage: ["last_assistant_message"],
  continued: ["stop_hook_active"],
  compaction: { trigger: ["trigger"], summary: ["compact_summary"] },
  notice: { kind: ["notification_type"], text: ["message"], asks: "permission_prompt" },
} as const satisfies PayloadStyle;

/** The fields that Claude Code and Codex have on everything that comes from a subagent. */
export const CLAUDE_SUBAGENT = {
  inSubagent: { id: ["agent_id"], type: ["agent_type"] },
  subagent: {
    id: ["agent_id"],
    type: ["agent_type"],
    transcriptPath: ["agent_transcript_path"],
    lastMessage: ["last_assistant_message"],
  },
} as const satisfies Partial<PayloadStyle>;

/** Says something in the object that is named after the hook. */
export function specific<P extends Power>(
  fields: (said: Parameters<Wording<P>>[0], payload: Parameters<Wording<P>>[1]["payload"]) => Json,
): Wording<P> {
  return (said, { hook, payload }) => ({
    say: { hookSpecificOutput: { hookEventName: hook, ...fields(said, payload) } },
  });
}

export const DENY = specific<"block">((reason) => ({
  permissionDecision: "deny",
  permissionDecisionReason: reason,
}));
export const ASK = specific<"ask">((reason) => ({
  permissionDecision: "ask",
  permissionDecisionReason: reason,
}));
export const ALLOW_WITH = specific<"rewrite_input">((input) => ({
  permissionDecision: "allow",
  updatedInput: input,
}));
export const CONTEXT = specific<"add_context">((text) => ({ additionalContext: text }));

/** Top-level "block": the reason means something else from hook to hook. */
export const BLOCK = (reason: string) => ({ say: { decision: "block", reason } });
/** Ends the turn. Without a deny beside it, the call runs first. */
export const END_TURN = (reason: string) => ({ say: { continue: false, stopReason: reason } });
export const SYSTEM_MESSAGE = (text: string) => ({ say: { systemMessage: text } });

/** A compacted conversation is announced like a new one; it is the same session. */
export const isCompaction = ({ source }: Readonly<Json>) => source === "compact";

/** Whether a payload comes from a subagent, so not from the one the user talks to. */
export const isFromSubagent = ({ agent_id }: Readonly<Json>) => agent_id !== undefined;
