import type { ToolTable } from "../hooks/tool-table.ts";

const GREP = { name: "grep", fields: { path: "dir_path", glob: "include_pattern" } };

export const tools: ToolTable = {
  seamPrefix: "mcp_seam_",
  merges: true,
  tools: {
    run_shell_command: {
      name: "bash",
      fields: { cwd: "dir_path" },
      background: "is_background",
    },
    read_file: { name: "read", fields: { path: "file_path" } },
    write_file: { name: "write", fields: { path: "file_path" } },
    replace: {
      name: "edit",
      fields: { path: "file_path" },
      edits: { kind: "pair", old: "old_string", new: "new_string" },
    },
    grep_search: GREP,
    search_file_content: GREP,
    glob: { name: "find", fields: { path: "dir_path" } },
    list_directory: { name: "ls", fields: { path: "dir_path" } },
    invoke_agent: { name: "subagent", fields: { agent: "agent_name", task: "prompt" } },
    activate_skill: { name: "skill" },
  },
};
