/** What an extension can import from "agentseam" at run time, besides types. */
export { Type } from "typebox";
export { SeamError } from "../errors/index.ts";
export {
  convertToLlm,
  EVENT_NAMES,
  isBashToolResult,
  isEditToolResult,
  isFindToolResult,
  isGrepToolResult,
  isLsToolResult,
  isReadToolResult,
  isToolCallEventType,
  isWriteToolResult,
  serializeConversation,
} from "../events/index.ts";
export {
  createBashTool,
  createEditTool,
  createFindTool,
  createGrepTool,
  createLsTool,
  createReadTool,
  createWriteTool,
  pathFits,
  readShell,
  SHELL_UNKNOWN,
  shellCommandIn,
  truncateHead,
  truncateTail,
} from "../tools/index.ts";
export { defineTool } from "./api/tool-definition.ts";
export { createAssistantMessageEventStream } from "./modules/event-stream.ts";
export { parseFrontmatter, stripFrontmatter } from "./modules/frontmatter.ts";
