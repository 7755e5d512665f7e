import type { EmbeddedAgent } from "../../host/index.ts";
import type { Themes } from "../look/themes.ts";
import type { Stage } from "../parts/stage.ts";

/** What a command of the screen can use. */
export interface CommandSurroundings {
  readonly agent: EmbeddedAgent;
  readonly stage: Stage;
  readonly themes: Themes;
  notify(text: string, level?: "info" | "warning" | "error"): void;
  setEditorText(text: string): void;
  /** Reads keys and themes anew. */
  readKeys(): void;
  quit(): void;
}

/** A command that the interactive terminal has by itself. */
export interface ScreenCommand {
  readonly name: string;
  readonly description: string;
  run(around: CommandSurroundings, args: string): Promise<void> | void;
}
