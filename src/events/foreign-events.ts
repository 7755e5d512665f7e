/**
 * Events that other hosts fire and Seam does not, so that a listener for one of them gets a
 * better answer than "unknown".
 */
export const FOREIGN_EVENTS: Readonly<Record<string, { host: string; instead?: string }>> = {
  project_trust: { host: "Pi" },
  mcp_servers_change: { host: "Pi" },
  session_info_changed: { host: "Pi" },
  agent_before_settle: { host: "Pi", instead: "agent_end" },
  context_with_system: { host: "Pi", instead: "before_provider_request" },
  before_provider_headers: { host: "Pi", instead: "before_provider_request" },
  provider_stream_event: { host: "Pi", instead: "message_update" },
  cache_warming_decision: { host: "Pi" },
  ui_prompt_start: { host: "Pi" },
  ui_prompt_end: { host: "Pi" },
  session_stop: { host: "oh-my-pi", instead: "agent_end" },
  before_subagent_spawn: { host: "oh-my-pi", instead: "subagent_start" },
  tool_approval_requested: { host: "oh-my-pi", instead: "tool_call" },
  tool_approval_resolved: { host: "oh-my-pi", instead: "tool_admit" },
  user_python: { host: "oh-my-pi" },
  retry_fallback_applied: { host: "oh-my-pi", instead: "auto_retry_start" },
  retry_fallback_succeeded: { host: "oh-my-pi", instead: "auto_retry_end" },
  credential_disabled: { host: "oh-my-pi" },
  mcp_notification: { host: "oh-my-pi" },
};
