import { type BashToolOptions, createBashTool } from "./bash/bash.ts";
import { createEditTool, type EditToolOptions } from "./edit/edit.ts";
import { createLsTool, type LsToolOptions } from "./ls.ts";
import { createReadTool, type ReadToolOptions } from "./read/read.ts";
import { createFindTool, type FindToolOptions } from "./search/find.ts";
import { createGrepTool, type GrepToolOptions } from "./search/grep.ts";
import type { BuiltinTool } from "./tool.ts";
import { createWriteTool, type WriteToolOptions } from "./write.ts";

export interface ToolsOptions {
  read?: ReadToolOptions;
  bash?: BashToolOptions;
  edit?: EditToolOptions;
  write?: WriteToolOptions;
  grep?: GrepToolOptions;
  find?: FindToolOptions;
  ls?: LsToolOptions;
}

/** All seven tools, working in `cwd`, in the order they are shown to the model. */
export function createCodingTools(cwd: string, options: ToolsOptions = {}): BuiltinTool[] {
  return [
    createReadTool(cwd, options.read),
    createBashTool(cwd, options.bash),
    createEditTool(cwd, options.edit),
    createWriteTool(cwd, options.write),
    createGrepTool(cwd, options.grep),
    createFindTool(cwd, options.find),
    createLsTool(cwd, options.ls),
  ];
}

/** Those that change nothing. */
export function createReadOnlyTools(cwd: string, options: ToolsOptions = {}): BuiltinTool[] {
  return [
    createReadTool(cwd, options.read),
    createGrepTool(cwd, options.grep),
    createFindTool(cwd, options.find),
    createLsTool(cwd, options.ls),
  ];
}
