/** What an extension can import from "agentseam" at run time, besides types. */
export { Type } from "typebox";
export { SeamError } from "../errors/index.ts";
export * from "../events/index.ts";
export {
  createBashTool,
  createEditTool,
  createFindTool,
  createGrepTool,
  createLsTool,
  createReadTool,
  createWriteTool,
  type InlineCode,
  pathFits,
  type ReadShellOptions,
  readShell,
  SHELL_UNKNOWN,
  type ShellCommand,
  type ShellReading,
  type ShellWord,
  type ShellWrite,
  truncateHead,
  truncateTail,
} from "../tools/index.ts";
export { defineTool } from "./api/tool-definition.ts";
export { createAssistantMessageEventStream } from "./modules/event-stream.ts";
export { parseFrontmatter, stripFrontmatter } from "./modules/frontmatter.ts";
