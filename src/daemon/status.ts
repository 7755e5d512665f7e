import type { RepoProblem } from "../record/index.ts";
import type { ClientRepair } from "./client/client-watch.ts";

/** What the daemon says of itself. */
export interface DaemonStatus {
  readonly pid: number;
  /** ISO. */
  readonly startedAt: string;
  readonly port: number;
  /** Sessions that spoke lately. */
  readonly sessions: number;
  /** Those of them whose extensions are loaded. */
  readonly workers: number;
  /** Threads in which these extensions run. */
  readonly threads: number;
  /** Why extensions of sessions do not run, each reason once. */
  readonly troubles: readonly string[];
  /** Extensions that froze or ended a thread and are not loaded until they change. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
  /** Who follows the live events. */
  readonly listeners: number;
  /** Hooks that were answered and are not recorded yet. */
  readonly unrecorded: number;
  /** What could not be recorded, and could not be written down in the repository either. */
  readonly problems: readonly RepoProblem[];
  /** When the hook client was changed by somebody and written again. */
  readonly clientRepairs: readonly ClientRepair[];
  /** Folders in which an agent without hooks is watched. While there are any, it stays. */
  readonly watched: number;
  /** What each service says of itself, by its name. */
  readonly services: Readonly<Record<string, object>>;
}
