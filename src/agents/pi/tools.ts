import type { ToolTable } from "../hooks/tool-table.ts";

/** Pi's names and fields are the normal ones; extensions written for Pi look at these. */
export const tools: ToolTable = { tools: {} };
