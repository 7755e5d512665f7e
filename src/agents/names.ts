/** Registry names; "seam" is the embedded agent. */
export const AGENT_NAMES = [
  "aider",
  "claude-code",
  "codex",
  "copilot-cli",
  "cursor",
  "factoryai-droid",
  "gemini",
  "opencode",
  "pi",
  "seam",
] as const;

/** The name of an agent that comes with Seam. */
export type AgentName = (typeof AGENT_NAMES)[number];
