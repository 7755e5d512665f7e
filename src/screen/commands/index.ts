import { LOOK_COMMANDS } from "./look-commands.ts";
import { MODEL_COMMANDS } from "./model-commands.ts";
import type { ScreenCommand } from "./screen-command.ts";
import { SESSION_COMMANDS } from "./session-commands.ts";

/** What the interactive terminal understands behind a slash, besides what extensions and files bring. */
export const SCREEN_COMMANDS: readonly ScreenCommand[] = [
  ...MODEL_COMMANDS,
  ...SESSION_COMMANDS,
  ...LOOK_COMMANDS,
];
