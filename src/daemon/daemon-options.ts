import type { Agent } from "../agents/index.ts";
import type { Recorder } from "../record/index.ts";
import type { DaemonPaths } from "./daemon-paths.ts";
import type { RecordService } from "./hooks/git-hook-service.ts";
import type { OwnFiles } from "./own-files.ts";
import type { StartService } from "./service.ts";

export interface DaemonOptions {
  /** Gets every hook after it was answered. */
  readonly recorder: Recorder & RecordService;
  readonly agents: readonly Agent[];
  /** What lives in the daemon beside the hooks. */
  readonly services?: readonly StartService[];
  /** The user's Seam folder. */
  readonly home?: string;
  /** Ends after so long without a hook, instead of what the settings say. */
  readonly idleMs?: number;
  /** Whoever leaves the inbox as the last one has so long to come back, instead of the usual time. */
  readonly comeBackMs?: number;
  /** Writes the hook client again when somebody has changed it. */
  readonly tendsClient?: boolean;
  /**
   * The daemon ends when these files are replaced, so that the next hook starts the new version.
   */
  readonly ownFiles?: OwnFiles;
}

export interface Daemon {
  readonly paths: DaemonPaths;
  readonly port: number;
  /**
   * Resolves when it has ended, for whatever reason, with whether another has to be started: no hook
   * does that for an agent that is only watched, or for a run of a crew whose agents are silent.
   */
  readonly ended: Promise<{ readonly isMissed: boolean }>;
  /** Answers what is under way, records what was answered, and ends. */
  stop(why?: string): Promise<void>;
}
