import type { SeamEvent } from "../../events/index.ts";
import type { AskDialog, ExtensionUIContext } from "../../extensions/index.ts";
import type { Terminal } from "../../terminal/index.ts";

/** What the terminal needs from whoever starts it. */
export interface InteractiveOptions {
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folders and files of themes, besides those that extensions name. */
  readonly themePaths: readonly string[];
  readonly theme?: string;
  readonly keysFile: string;
  /** False: the terminal's own screen and its scrollback are used. */
  readonly fullscreen?: boolean;
  /** The inbox, for questions that may be answered elsewhere too. */
  readonly elsewhere: AskDialog;
  readonly isAttended: () => boolean;
  /** An extension as people know it. */
  readonly nameOf: (path: string) => string;
  /** What to work on at once. */
  readonly command?: string;
}

/** How the agent is connected to the screen. */
export interface AgentConnection {
  readonly ui: ExtensionUIContext;
  readonly onEvent: (event: SeamEvent) => void;
  readonly onLog: (level: string, text: string) => void;
}
