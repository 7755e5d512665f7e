import { isFull } from "../../../setup/sample.ts";
import type { Agent, AgentName } from "../agent.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { factoryaiDroid } from "./factoryai-droid.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";

export const AGENTS: Readonly<Record<AgentName, Agent>> = {
  "claude-code": claudeCode,
  codex,
  "copilot-cli": copilotCli,
  "factoryai-droid": factoryaiDroid,
  gemini,
  opencode,
  pi,
};

/** The release that all tests run on, then the newer ones. Each is given to `launch` as `release`. */
export function releasesOf(name: AgentName): readonly Agent[] {
  const agent = AGENTS[name];
  return [agent, ...(agent.newer ?? []).map((release) => ({ ...agent, ...release }))];
}

/**
 * The releases on which something is tried that is the same on all of them: the newest, and every one
 * in `npm run test:full`. What runs on `AGENTS` alone runs on the oldest.
 */
export function newestOf(name: AgentName): readonly Agent[] {
  const all = releasesOf(name);
  return isFull ? all : all.slice(-1);
}
