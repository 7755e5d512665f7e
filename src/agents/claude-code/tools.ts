import type { ToolTable } from "../hooks/tool-table.ts";

const SUBAGENT = { name: "subagent", fields: { agent: "subagent_type", task: "prompt" } };

export const tools: ToolTable = {
  seamPrefix: "mcp__seam__",
  tools: {
    // Milliseconds; everyone else counts seconds.
    Bash: {
      name: "bash",
      fields: { timeout: { field: "timeout", times: 1000 } },
      background: "run_in_background",
    },
    Read: { name: "read", fields: { path: "file_path" } },
    Write: { name: "write", fields: { path: "file_path" } },
    Edit: {
      name: "edit",
      fields: { path: "file_path" },
      edits: { kind: "pair", old: "old_string", new: "new_string" },
    },
    MultiEdit: {
      name: "edit",
      fields: { path: "file_path" },
      edits: { kind: "list", field: "edits", old: "old_string", new: "new_string" },
    },
    NotebookEdit: { name: "edit", fields: { path: "notebook_path" } },
    Grep: { name: "grep" },
    Glob: { name: "find" },
    LS: { name: "ls" },
    Agent: SUBAGENT,
    Task: SUBAGENT,
    Skill: { name: "skill", fields: { name: "skill" } },
  },
};
