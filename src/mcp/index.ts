export type { ServedTool } from "./protocol.ts";
export { searchTool } from "./search-tool.ts";
export { mcpService } from "./service.ts";
