import { join } from "node:path";
import { messageOf } from "../../errors/index.ts";
import type { EmbeddedAgent, Prompt } from "../../host/index.ts";
import { openInteractive } from "../../screen/index.ts";
import { loadUserSettings, PROJECT_DIR, packageVersion, seamHome } from "../../settings/index.ts";
import { checkChoice } from "./check-options.ts";
import { inboxAsk, shownName } from "./inbox-ui.ts";
import type { RunOptions } from "./run-options.ts";

/** Opens the agent on this terminal: the editor first, then what it takes to answer. */
export async function runInteractive(options: RunOptions, extra: readonly string[]): Promise<void> {
  const cwd = process.cwd();
  checkChoice(options);
  let sessionId = () => "";
  const { ask, isAttended } = inboxAsk(cwd, () => sessionId());
  const { theme, fullscreen } = loadUserSettings();
  const screen = openInteractive({
    cwd,
    version: packageVersion(),
    env: process.env,
    themePaths: options.noThemes
      ? []
      : [join(seamHome(), "themes"), join(cwd, PROJECT_DIR, "themes")],
    ...(theme !== "auto" && { theme }),
    fullscreen: fullscreen && !options.noFullscreen,
    keysFile: join(seamHome(), "keybindings.json"),
    elsewhere: ask,
    isAttended,
    nameOf: shownName,
    ...(options.resume === true && { command: "/resume" }),
  });
  let agent: EmbeddedAgent | undefined;
  const end = async () => {
    await agent?.dispose();
    await screen.close();
    if (agent && !screen.isGone) process.stdout.write(howToGoOn(agent));
  };
  const stopListening = endOnSignals(end);
  try {
    const { startAgent } = await import("./start-agent.ts");
    const { prompts, ...started } = await startAgent(options, extra, cwd, screen.connection);
    agent = started.agent;
    const { session } = agent;
    sessionId = () => session.getSessionId();
    const worked = screen.work(agent);
    void beginWith(agent, prompts, (text) => screen.connection.onLog("error", text));
    await worked;
  } finally {
    await end();
    stopListening();
  }
  if (screen.isGone) hangUp();
}

/** The command that takes the session up again, if it is kept and anything was said in it. */
function howToGoOn({ session }: EmbeddedAgent): string {
  const said = session.getEntries().some(({ type }) => type === "message");
  if (session.getSessionFile() === undefined || !said) return "";
  return `\nTo go on: seam run --resume ${session.getSessionId().slice(0, 8)}\n`;
}

/** What stood on the command line is worked on first. The user may leave meanwhile. */
async function beginWith(
  agent: EmbeddedAgent,
  prompts: readonly Prompt[],
  failed: (text: string) => void,
): Promise<void> {
  try {
    for (const { text, images } of prompts) await agent.prompt(text, images ? { images } : {});
  } catch (thrown) {
    failed(messageOf(thrown));
  }
}

/** However the program is ended from outside: the session is saved and the terminal is as it was. */
function endOnSignals(end: () => Promise<void>): () => void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  const listeners = Object.entries(codes).map(([signal, code]) => {
    const listener = () =>
      void end().finally(() => (signal === "SIGHUP" ? hangUp() : process.exit(code)));
    process.once(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}

/** Ends as a program whose terminal is gone does. A usual exit would try to set up that terminal. */
function hangUp(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}
