/** What people call the agents, for answers that have only their short names. */
export const AGENT_TYPES: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  cursor: "Cursor",
  gemini: "Gemini CLI",
  opencode: "OpenCode",
  "factoryai-droid": "Factory AI Droid",
  pi: "Pi",
  codex: "Codex",
  "copilot-cli": "Copilot CLI",
  aider: "Aider",
  seam: "Seam",
};

export function agentType(name: string): string {
  return AGENT_TYPES[name] ?? name;
}
