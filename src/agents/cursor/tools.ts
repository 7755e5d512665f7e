import type { ToolTable } from "../hooks/tool-table.ts";

export const tools: ToolTable = {
  tools: {
    Shell: { name: "bash", fields: { timeout: { field: "timeout", times: 1000 } } },
    Read: { name: "read", fields: { path: "file_path" } },
    Write: { name: "write", fields: { path: "file_path" } },
    // What is searched in, be it a file or a folder.
    Grep: { name: "grep", fields: { path: "file_path" } },
    Task: { name: "subagent", fields: { task: "prompt", agent: "subagent_type" } },
  },
};
