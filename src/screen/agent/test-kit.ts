import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { ExtensionAPI } from "../../extensions/index.ts";
import {
  createAgent,
  type EmbeddedAgent,
  type ScriptedTurn,
  scriptedModels,
} from "../../host/index.ts";
import { FakeTerminal } from "../../terminal/driver/test-kit.ts";
import { Interactive } from "./interactive.ts";

const open: { close(): Promise<void> }[] = [];

/** Ends what a test opened. */
export async function closeScreens(): Promise<void> {
  for (const one of open.splice(0)) await one.close();
}

/** The terminal with the embedded agent in it, on a scripted model. */
export async function terminalWith(
  turns: readonly ScriptedTurn[],
  extension: (pi: ExtensionAPI) => void = () => {},
  size: [number, number] = [80, 24],
  fullscreen = true,
) {
  const cwd = mkdtempSync(join(tmpdir(), "screen-"));
  const terminal = new FakeTerminal(...size);
  const screen = new Interactive({
    cwd,
    terminal,
    version: "test",
    env: {},
    fullscreen,
    themePaths: [join(cwd, "themes")],
    keysFile: join(cwd, "keybindings.json"),
    elsewhere: async () => undefined,
    isAttended: () => false,
    nameOf: (path) => path,
  });
  const connection = screen.open();
  const models = scriptedModels(turns);
  const agent: EmbeddedAgent = await createAgent({
    cwd,
    models,
    mode: "tui",
    watchdog: false,
    extensions: [{ name: "demo", factory: extension }],
    ...connection,
  });
  screen.begin(agent);
  open.push({
    close: async () => {
      await agent.dispose();
      await screen.close();
    },
  });
  const shows = (text: string | RegExp) =>
    vi.waitFor(async () => expect(await terminal.shown()).toMatch(text));
  return { terminal, agent, screen, shows, cwd };
}
