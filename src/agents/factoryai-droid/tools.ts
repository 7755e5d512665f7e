import type { ToolTable } from "../hooks/tool-table.ts";

export const tools: ToolTable = {
  seamPrefix: "seam___",
  merges: true,
  tools: {
    Execute: { name: "bash", background: "fireAndForget" },
    Read: { name: "read", fields: { path: "file_path" } },
    Create: { name: "write", fields: { path: "file_path" } },
    Edit: {
      name: "edit",
      fields: { path: "file_path" },
      edits: { kind: "pair", old: "old_str", new: "new_str" },
    },
    ApplyPatch: { name: "edit", patch: "input" },
    Grep: { name: "grep", fields: { glob: "glob_pattern" } },
    Glob: { name: "find", fields: { pattern: "patterns", path: "folder" } },
    LS: { name: "ls", fields: { path: "directory_path" } },
    Task: { name: "subagent", fields: { agent: "subagent_type", task: "prompt" } },
    Skill: { name: "skill", fields: { name: "skill" } },
  },
};
