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
import * as authoring from "../authoring.ts";

/** The version of Pi whose contract Seam keeps: extensions compare it with what they need. */
const VERSION = "0.74.2";

/** Pi's own module, as far as extensions use it at run time. */
export const piCodingAgent = {
  ...tools,
  ...authoring,
  BorderedLoader,
  CustomEditor,
  DynamicBorder,
  getAgentDir: seamHome,
  getMarkdownTheme,
  getSelectListTheme,
  getSettingsListTheme,
  keyHint,
  keyText,
  rawKeyHint,
  Theme,
  VERSION,
};
