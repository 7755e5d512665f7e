import { existsSync, readFileSync } from "node:fs";
import type { AgentOptions } from "../../host/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { loadCacheDir } from "../load-cache.ts";
import { agentSettings } from "./agent-settings.ts";
import { levelOf } from "./check-options.ts";
import { inCrew } from "./in-crew.ts";
import { openSession, sessionPlace } from "./open-session.ts";
import { otherSessions } from "./other-sessions.ts";
import { recording } from "./recording.ts";
import type { RunOptions } from "./run-options.ts";

interface Given {
  readonly cwd: string;
  readonly warn: (text: string) => void;
  /** The extensions that were found. */
  readonly found: NonNullable<AgentOptions["extensions"]>;
}

/** What the command line and the settings say about the agent of a run. */
export async function agentOptions(
  options: RunOptions,
  { cwd, warn, found }: Given,
): Promise<AgentOptions> {
  const { settings } = loadSettings(cwd);
  const sessions = sessionPlace(cwd, options, warn);
  const { model, thinking, tools, systemPrompt, appendSystemPrompt } = options;
  return {
    cwd,
    session: openSession(cwd, options, warn),
    extensions: [...(await recording(cwd, warn)), ...(await inCrew()), ...found],
    cacheDir: loadCacheDir(),
    otherSessions: otherSessions(),
    ...agentSettings(settings),
    ...(model !== undefined && { model }),
    ...(thinking !== undefined && { thinkingLevel: levelOf(thinking) }),
    ...(tools !== undefined && { tools: namesIn(tools) }),
    ...(systemPrompt !== undefined && { systemPrompt: textOrFile(systemPrompt) }),
    ...(appendSystemPrompt !== undefined && { appendSystemPrompt: textOrFile(appendSystemPrompt) }),
    ...(sessions && { sessions }),
  };
}

function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Long texts are handed over in files. */
function textOrFile(value: string): string {
  return existsSync(value) ? readFileSync(value, "utf8") : value;
}
