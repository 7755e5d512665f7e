import {
  convertToLlm,
  isBashToolResult,
  isEditToolResult,
  isFindToolResult,
  isGrepToolResult,
  isLsToolResult,
  isReadToolResult,
  isToolCallEventType,
  isWriteToolResult,
  serializeConversation,
} from "../../events/index.ts";
import { seamHome } from "../../settings/index.ts";
import {
  BorderedLoader,
  CustomEditor,
  DynamicBorder,
  getMarkdownTheme,
  getSelectListTheme,
  getSettingsListTheme,
  keyHint,
  keyText,
  rawKeyHint,
  Theme,
} from "../../terminal/index.ts";
import * as tools from "../../tools/index.ts";
import { defineTool } from "../api/tool-definition.ts";
import { parseFrontmatter, stripFrontmatter } from "./frontmatter.ts";

/** The version of Pi whose contract Seam keeps: extensions compare it with what they need. */
const VERSION = "0.74.2";

/** Pi's own module, as far as extensions use it at run time. */
export const piCodingAgent = {
  ...tools,
  BorderedLoader,
  CustomEditor,
  convertToLlm,
  DynamicBorder,
  defineTool,
  getAgentDir: seamHome,
  getMarkdownTheme,
  getSelectListTheme,
  getSettingsListTheme,
  isBashToolResult,
  isEditToolResult,
  isFindToolResult,
  isGrepToolResult,
  isLsToolResult,
  isReadToolResult,
  isToolCallEventType,
  isWriteToolResult,
  keyHint,
  keyText,
  parseFrontmatter,
  rawKeyHint,
  serializeConversation,
  stripFrontmatter,
  Theme,
  VERSION,
};
