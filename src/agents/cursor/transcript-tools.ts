import type { ToolTable } from "../hooks/tool-table.ts";
import { tools } from "./tools.ts";

const PATH = { path: "path" };

/** In transcripts tools have other names and fields than in hooks. */
const IN_TRANSCRIPT: ToolTable = {
  tools: {
    ...tools.tools,
    Write: { name: "write", fields: PATH },
    StrReplace: { name: "edit", fields: PATH },
    Edit: { name: "edit", fields: PATH },
    MultiEdit: { name: "edit", fields: PATH },
    Delete: { name: "edit", fields: PATH },
    EditNotebook: { name: "edit", fields: { path: "target_notebook" } },
    ApplyPatch: { name: "edit", patch: "input" },
  },
};
export const SOURCE = { agent: "cursor", tools: IN_TRANSCRIPT } as const;
