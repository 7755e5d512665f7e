/**
 * Events that other hosts fire and Seam does not, so that a listener for one of them gets a
 * better answer than "unknown".
 */
export const FOREIGN_EVENTS: Readonly<Record<string, { host: string; instead?: string }>> = {
  project_trust: { host: "Pi" },
  mcp_servers_change: { host: "Pi" },
  provider_stream_event: { host: "Pi", instead: "message_update" },
  cache_warming_decision: { host: "Pi" },
  before_subagent_spawn: { host: "oh-my-pi", instead: "subagent_start" },
  user_python: { host: "oh-my-pi" },
  retry_fallback_applied: { host: "oh-my-pi", instead: "auto_retry_start" },
  retry_fallback_succeeded: { host: "oh-my-pi", instead: "auto_retry_end" },
  credential_disabled: { host: "oh-my-pi" },
  mcp_notification: { host: "oh-my-pi" },
};
