export { runPipe } from "./pipe/run-pipe.ts";
export { searchTool } from "./search-tool.ts";
export { mcpService } from "./service.ts";
