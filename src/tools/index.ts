export { realTarget } from "../files/index.ts";
export { untilAborted } from "./abort.ts";
export {
  type BashSpawnContext,
  type BashSpawnHook,
  type BashToolDetails,
  type BashToolInput,
  type BashToolOptions,
  createBashTool,
  createBashTool as createBashToolDefinition,
} from "./bash/bash.ts";
export { createLocalBashOperations } from "./bash/local-operations.ts";
export type { BashOperations } from "./bash/operations.ts";
export { CommandOutput } from "./bash/output.ts";
export { KILL_GRACE_MS } from "./bash/process-group.ts";
export { createCodingTools, createReadOnlyTools, type ToolsOptions } from "./coding-tools.ts";
export type { EditToolInput } from "./edit/arguments.ts";
export {
  createEditTool,
  createEditTool as createEditToolDefinition,
  type EditOperations,
  type EditToolDetails,
  type EditToolOptions,
} from "./edit/edit.ts";
export { showDiff } from "./edit/show-diff.ts";
export { findProgram } from "./find-program.ts";
export { formatSize } from "./format-size.ts";
export {
  createLsTool,
  createLsTool as createLsToolDefinition,
  type LsOperations,
  type LsToolDetails,
  type LsToolInput,
  type LsToolOptions,
} from "./ls.ts";
export { withFileMutationQueue } from "./mutation-queue.ts";
export { imageType } from "./read/image-type.ts";
export type { ReadOperations } from "./read/operations.ts";
export {
  createReadTool,
  createReadTool as createReadToolDefinition,
  type ReadToolDetails,
  type ReadToolInput,
  type ReadToolOptions,
} from "./read/read.ts";
export {
  createFindTool,
  createFindTool as createFindToolDefinition,
  type FindOperations,
  type FindToolDetails,
  type FindToolInput,
  type FindToolOptions,
} from "./search/find.ts";
export { globToRegExp } from "./search/glob.ts";
export {
  createGrepTool,
  createGrepTool as createGrepToolDefinition,
  type GrepOperations,
  type GrepToolDetails,
  type GrepToolInput,
  type GrepToolOptions,
} from "./search/grep.ts";
export {
  type InlineCode,
  pathFits,
  type ReadShellOptions,
  readShell,
  SHELL_UNKNOWN,
  type ShellCommand,
  type ShellReading,
  type ShellWord,
  type ShellWrite,
  shellCommandIn,
} from "./shell/index.ts";
export type { BuiltinTool, ToolResult, ToolUpdate } from "./tool.ts";
export {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  type TruncationOptions,
  type TruncationResult,
  truncateHead,
  truncateLine,
  truncateTail,
} from "./truncate.ts";
export {
  createWriteTool,
  createWriteTool as createWriteToolDefinition,
  type WriteOperations,
  type WriteToolInput,
  type WriteToolOptions,
} from "./write.ts";
