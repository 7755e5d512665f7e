import { SeamError } from "../errors/index.ts";
import type { Agent, AgentFolders, ForeignAgent } from "./agent.ts";
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

const agents: Agent[] = [
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

const all: Agent[] = [...agents, seam];

/** All foreign agents, sorted by name: those that come with Seam and those that were registered. */
export const AGENTS: readonly Agent[] = agents;

/** Those that tell the daemon something: the embedded agent too. */
export const ALL_AGENTS: readonly Agent[] = all;

/** The agent that is meant where nothing says which. */
export const DEFAULT_AGENT: ForeignAgent = "claude-code";

/** What metadata says where nobody knows whose work it was. */
export const UNKNOWN_AGENT_TYPE = "Agent";

const NAME = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * Adds an agent to the registry of this process, so that everything here knows it by its name, its
 * type and its transcripts. Gives back a function that takes it out again. Throws where the name or
 * the type is taken, also by an agent that comes with Seam.
 */
export function registerAgent(agent: Agent): () => void {
  const { name, type } = agent;
  const refuse = (detail: string) => new SeamError("SEAM_AGENT_REGISTER", { name, detail });
  if (!NAME.test(name)) throw refuse("its name is not small letters, digits and hyphens");
  if (type.trim() === "" || type === UNKNOWN_AGENT_TYPE) throw refuse("it has no type of its own");
  if (all.some((one) => one.name === name)) throw refuse("there is an agent of this name");
  if (all.some((one) => one.type === type)) throw refuse(`there is an agent of the type "${type}"`);
  agents.push(agent);
  agents.sort((a, b) => (a.name < b.name ? -1 : 1));
  all.splice(0, all.length, ...agents, seam);
  return () => {
    const at = agents.indexOf(agent);
    if (at >= 0) agents.splice(at, 1);
    all.splice(0, all.length, ...agents, seam);
  };
}

/** The names of all foreign agents, sorted. */
export function agentNames(): string[] {
  return agents.map(({ name }) => name);
}

/** The agent that is meant where nobody says which. */
export function defaultAgent(): Agent | undefined {
  return agentNamed(DEFAULT_AGENT);
}

/**
 * The embedded agent has a name as well.
 *
 * @example
 * agentNamed("gemini")?.type; // "Gemini CLI"
 */
export function agentNamed(name: string): Agent | undefined {
  return name === seam.name ? seam : AGENTS.find((agent) => agent.name === name);
}

/** The agent whose type this is, as metadata names it: "Claude Code". */
export function agentOfType(type: string): Agent | undefined {
  return type === seam.type ? seam : AGENTS.find((agent) => agent.type === type);
}

/**
 * Agents with files in the project or a program on the PATH, sorted by name.
 *
 * @example
 * const place = { project: process.cwd(), home: homedir(), env: process.env };
 * console.log(detectAll(place).map(({ type }) => type));
 */
export function detectAll(place: AgentFolders): Agent[] {
  return AGENTS.filter((agent) => {
    const { configured, program } = agent.detect(place);
    return configured || program !== undefined;
  });
}

/** The agent of a project: the first with files in it, or else the first whose program is there. */
export function detect(place: AgentFolders): Agent | undefined {
  const present = detectAll(place);
  return present.find((agent) => agent.detect(place).configured) ?? present[0];
}

/** Folders of a project that no agent's work may be undone in. */
export function allProtectedDirs(): string[] {
  return [...new Set(AGENTS.flatMap(({ protectedDirs }) => protectedDirs))];
}
