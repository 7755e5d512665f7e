import type { Headless } from "./headless/headless.ts";
import type { HookSupport } from "./hooks/hook-support.ts";
import type { Installer } from "./install/installer.ts";
import type { AgentName } from "./names.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { TranscriptFormat } from "./transcripts/format.ts";
import type { Watcher } from "./watcher.ts";

/** Where an agent is looked for. Passed in, so that nothing here reads the real home unasked. */
export interface AgentFolders {
  /** Root of the repository, or the folder the user is in. */
  readonly project: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The signs that an agent is used here. */
export interface Presence {
  /** The project has files of this agent. */
  readonly configured: boolean;
  /** Where its program is; undefined: not on the PATH. */
  readonly program?: string;
}

/** How an agent's program is found and which versions were tried. */
export interface Program {
  readonly command: string;
  readonly versionArgs: readonly string[];
  /** Oldest and newest version the tests ran against. Absent: only its payloads were tried. */
  readonly tested?: readonly [oldest: string, newest: string];
}

/** Foreign agents that come with Seam; the embedded one needs no adapter. */
export type ForeignAgent = Exclude<AgentName, "seam">;

/**
 * One coding agent: who it is, where it keeps its sessions, and what else it can do. What is
 * absent it cannot do.
 */
export interface Agent<Name extends string = string> {
  /** Registry key: small letters, digits and hyphens. */
  readonly name: Name;
  /** The name that stands in metadata: "Claude Code". */
  readonly type: string;
  readonly description: string;
  readonly preview: boolean;
  /** Folders of the project that rewind leaves alone. */
  readonly protectedDirs: readonly string[];
  readonly program: Program;
  detect(place: AgentFolders): Presence;

  readonly transcript: TranscriptFormat;
  readonly sessions: SessionStore;

  readonly hooks?: HookSupport;
  /** How it works on a task without anybody at its keyboard. */
  readonly headless?: Headless;
  /** Where its MCP servers are written down. */
  readonly mcp?: Installer;
  /** For agents without hooks. */
  readonly watcher?: Watcher;
}
