import type { CutOff } from "../session/state.ts";
import type { TurnStory } from "../session/turn-story.ts";
import type { LeftOut } from "./left-out.ts";
import type { OthersFiles } from "./others-files.ts";

/**
 * A snapshot is a commit on refs/seam/turns/<session>. Its parent is the snapshot before; its
 * message is this record as JSON after a subject line, so that history can be read from git alone.
 */
export interface SnapshotRecord {
  /** Of the form in which it is stored; absent in what 0.1.0 wrote. */
  readonly version?: number;
  readonly session_id: string;
  readonly agent: string;
  readonly turn_id: string;
  readonly moment: "start" | "end";
  readonly at: string;
  readonly branch?: string;
  /** The linked work tree it is of; absent for the main one. */
  readonly worktree?: string;
  /** HEAD at that moment. */
  readonly head?: string;
  readonly prompt?: string;
  /** How the tree came about: named by events, or from a scan of the work tree. */
  readonly by: "paths" | "scan";
  /** The agent may have changed files before all of them were looked at: their changes are in it. */
  readonly late?: boolean;
  /** Files that are not in it, or as they were before. */
  readonly left_out?: readonly LeftOut[];
  /**
   * A tree that says how files were on the disk where git stores something else for their line ends:
   * `crlf/<path>` for those with CRLF, `bytes/<path>` with the content of others. It is the tree of
   * the last parent. Absent where no rule of git's changed line ends.
   */
  readonly on_disk?: string;
  /** At the end of a turn: files that its tools changed in other places. They are not in it. */
  readonly elsewhere?: readonly string[];
  /** At the end of a turn: what other sessions were at meanwhile, in the same work tree. */
  readonly others?: readonly OthersFiles[];
  /** At the end of a turn: what either it or another session changed, by that session. */
  readonly one_of?: readonly OthersFiles[];
  /** At the end of a turn: what changed meanwhile and is not known to be the work of any agent. */
  readonly unclaimed?: readonly string[];
  /** At the end of a turn that its user stopped: files that were changed after that. */
  readonly after_stop?: readonly string[];
  /** At the end of a turn: a program that one of its commands started may have run on. */
  readonly left_running?: true;
  /** At the end of a turn that broke off. */
  readonly cut_off?: CutOff;
  /** What happened in the turn; at its end only, and not in snapshots of early versions. */
  readonly story?: TurnStory;
  /** Its files were cleaned away: the tree is empty and says nothing. */
  readonly thinned?: true;
  /** Then, at the end of a turn: what was different from its start. */
  readonly files?: readonly string[];
}

/** Which work tree it is of: "" for the main one. Undefined where 0.1.0 wrote it: it did not say. */
export function worktreeIdIn({ version, worktree }: SnapshotRecord): string | undefined {
  return worktree ?? (version === undefined ? undefined : "");
}
