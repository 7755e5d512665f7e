import type { ToolCall } from "../model-server/script.ts";
import type { Tools } from "./intents.ts";

export const AGENT_NAMES = [
  "claude-code",
  "codex",
  "copilot-cli",
  "factoryai-droid",
  "gemini",
  "opencode",
  "pi",
] as const;

/** The names are those of Seam's own registry of agents. */
export type AgentName = (typeof AGENT_NAMES)[number];

/** What a user was asked and has said yes to. Seam never answers for them: in tests we are them. */
export interface Consent {
  /** The folder is trusted, so that hooks of the project may run (Gemini CLI, Copilot CLI, newer Pi). */
  readonly folder: boolean;
  /** The hooks themselves are trusted (Codex). */
  readonly hooks: boolean;
}

export interface Place {
  /** Above the other two; what the agents print and their temporary files go here. */
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
}

export interface Start extends Place {
  /** Where the scripted model listens for this home. */
  readonly modelUrl: string;
  readonly prompt: string;
  readonly resume?: string;
  readonly consent: Consent;
}

/** One release of an agent, as package.json here pins it. */
export interface Release {
  /** The npm package, by the name that it has in package.json here. */
  readonly package: string;
  /** Where its program may be, below node_modules. A script is run with Node. */
  readonly programs: readonly string[];
  /** The first major version of Node that runs the program, where this one may be too old. */
  readonly node?: number;
  /** Where it is started in another way than the release that all tests run on. */
  readonly args?: (start: Start) => readonly string[];
}

/** How one agent is started on the scripted model, without a login. */
export interface Agent extends Release {
  readonly name: AgentName;
  /** Newer releases. Tests of the record run on them as well: see `releasesOf`. */
  readonly newer?: readonly Release[];
  /** A script for Node that starts the program and talks to it; gets its path as first argument. */
  readonly through?: string;
  /** Written into the home before the first start; an object becomes JSON. */
  readonly files: (place: Place, modelUrl: string) => Readonly<Record<string, string | object>>;
  readonly env: (start: Start) => Readonly<Record<string, string>>;
  readonly args: (start: Start) => readonly string[];
  readonly tools: Tools;
  /** The call with which a subagent must hand in its result; none: its last text is the result. */
  readonly endOfSubagent?: (result: string) => ToolCall;
  /** Where a skill `name` is put in the project. */
  readonly skillFile: (name: string) => string;
  /** How a user calls a skill in a prompt, if this works without a terminal. */
  readonly typedSkill?: (name: string) => string;
  readonly sessionId: (ended: Ended) => string | undefined;
  /** Where the agent keeps this session, if it is there. */
  readonly transcript: (place: Place, sessionId: string) => string | undefined;
}

export interface Ended extends Place {
  readonly stdout: string;
  readonly startedAt: number;
}
