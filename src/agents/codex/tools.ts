import type { ToolTable } from "../hooks/tool-table.ts";

export const tools: ToolTable = {
  seamPrefix: "mcp__seam__",
  tools: {
    // What the model calls exec_command{cmd} is told to hooks as Bash{command}.
    Bash: { name: "bash" },
    exec_command: { name: "bash", fields: { command: "cmd", cwd: "workdir" } },
    apply_patch: { name: "edit", patch: "command" },
    spawn_agent: { name: "subagent", fields: { task: "message", agent: "agent_type" } },
  },
};
