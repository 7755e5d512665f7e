import type { ToolTable } from "../hooks/tool-table.ts";

export const tools: ToolTable = {
  seamPrefix: "seam_",
  tools: {
    bash: {
      name: "bash",
      fields: { timeout: { field: "timeout", times: 1000 }, cwd: "workdir" },
    },
    read: { name: "read", fields: { path: "filePath" } },
    write: { name: "write", fields: { path: "filePath" } },
    edit: {
      name: "edit",
      fields: { path: "filePath" },
      edits: { kind: "pair", old: "oldString", new: "newString" },
    },
    apply_patch: { name: "edit", patch: "patchText" },
    grep: { name: "grep", fields: { glob: "include" } },
    glob: { name: "find" },
    list: { name: "ls" },
    task: { name: "subagent", fields: { agent: "subagent_type", task: "prompt" } },
    skill: { name: "skill" },
  },
};
