import type { EmbeddedAgent } from "../../host/index.ts";
import { isAsciiLocale, ProcessTerminal } from "../../terminal/index.ts";
import { Interactive } from "./interactive.ts";
import type { AgentConnection, InteractiveOptions } from "./interactive-options.ts";

/** The terminal with the agent in it. */
export interface OpenInteractive {
  readonly connection: AgentConnection;
  /** Lets the user work with the agent until they leave. */
  work(agent: EmbeddedAgent): Promise<void>;
  close(): Promise<void>;
  /** The terminal itself is closed. */
  readonly isGone: boolean;
}

/** Opens the screen on the terminal of this process. */
export function openInteractive(options: Omit<InteractiveOptions, "terminal">): OpenInteractive {
  let isGone = false;
  const terminal = new ProcessTerminal({
    ascii: isAsciiLocale(process.env),
    // The wheel moves the terminal's own scrollback, where there is one.
    mouse: options.fullscreen !== false,
    scrollback: options.fullscreen === false,
    onClosed: () => {
      isGone = true;
      interactive.quit();
    },
    onStray: (text) => interactive.notify(text.trimEnd()),
    onBackground: (isLight) => interactive.themes.suit(isLight),
  });
  const interactive = new Interactive({ ...options, terminal });
  return {
    connection: interactive.open(),
    work: async (agent) => {
      interactive.begin(agent);
      await interactive.ended;
    },
    close: () => interactive.close(isGone),
    get isGone() {
      return isGone;
    },
  };
}
