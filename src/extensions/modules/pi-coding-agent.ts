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
export const PI_VERSION = "0.74.2";

/** What is for Seam itself: extensions must not come to depend on it. */
const { CommandOutput: _, KILL_GRACE_MS: __, untilAborted: ___, imageType: ____, ...ofPi } = tools;

/** Pi's own module, as far as extensions use it at run time. */
export const piCodingAgent = {
  ...ofPi,
  ...authoring,
  // Seam's own has those that search as well; Pi's are the four that its agent starts with.
  createCodingTools: (...args: Parameters<typeof tools.createCodingTools>) =>
    tools.createCodingTools(...args).slice(0, 4),
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
  VERSION: PI_VERSION,
};
