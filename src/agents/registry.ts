import type { Agent, AnyAgent, ForeignAgent, Place } from "./agent.ts";
import { aider } from "./aider/index.ts";
import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { copilotCli } from "./copilot-cli/index.ts";
import { cursor } from "./cursor/index.ts";
import { factoryaiDroid } from "./factoryai-droid/index.ts";
import { gemini } from "./gemini/index.ts";
import { opencode } from "./opencode/index.ts";
import { pi } from "./pi/index.ts";
import { seam } from "./seam/index.ts";

/** All foreign agents, sorted by name. */
export const AGENTS: readonly Agent[] = [
  aider,
  claudeCode,
  codex,
  copilotCli,
  cursor,
  factoryaiDroid,
  gemini,
  opencode,
  pi,
];

/** Those that tell the daemon something: the embedded agent too. */
export const ALL_AGENTS: readonly AnyAgent[] = [...AGENTS, seam];

export const DEFAULT_AGENT: ForeignAgent = "claude-code";

/** The embedded agent has a name as well. */
export function agentNamed(name: string): AnyAgent | undefined {
  return name === seam.name ? seam : AGENTS.find((agent) => agent.name === name);
}

/** By what is stored in metadata: "Claude Code". */
export function agentOfType(type: string): AnyAgent | undefined {
  return type === seam.type ? seam : AGENTS.find((agent) => agent.type === type);
}

/** Agents with files in the project or a program on the PATH, sorted by name. */
export function detectAll(place: Place): Agent[] {
  return AGENTS.filter((agent) => {
    const { configured, program } = agent.detect(place);
    return configured || program !== undefined;
  });
}

/** The agent of a project: the first with files in it, or else the first whose program is there. */
export function detect(place: Place): Agent | undefined {
  const present = detectAll(place);
  return present.find((agent) => agent.detect(place).configured) ?? present[0];
}

/** Folders of a project that no agent's work may be undone in. */
export function allProtectedDirs(): string[] {
  return [...new Set(AGENTS.flatMap(({ protectedDirs }) => protectedDirs))];
}
