import type { ToolTable } from "../hooks/tool-table.ts";

export const tools: ToolTable = {
  seamPrefix: "seam-",
  tools: {
    bash: { name: "bash" },
    view: { name: "read" },
    create: { name: "write", fields: { content: "file_text" } },
    edit: { name: "edit", edits: { kind: "pair", old: "old_str", new: "new_str" } },
    apply_patch: { name: "edit", patch: "input" },
    grep: { name: "grep", fields: { path: "paths" } },
    glob: { name: "find", fields: { path: "paths" } },
    task: { name: "subagent", fields: { agent: "agent_type", task: "prompt" } },
    skill: { name: "skill", fields: { name: "skill" } },
  },
};
