import type { Repo } from "../../git/index.ts";

/** A worktree that one task has for itself until it is released. */
export interface Workspace {
  /** Unique on this machine for this user: ports, databases and the like can be named after it. */
  readonly slot: number;
  readonly path: string;
  readonly run: string;
  readonly task: string;
  /** Where the task's work is saved; absent in a workspace that only looks at a commit. */
  readonly branch?: string;
  /** The commit the task began with. */
  readonly base: string;
  /** What commands in it get in addition: SEAM_SLOT, SEAM_PORT_BASE and what sparse checkouts need. */
  readonly env: Readonly<Record<string, string>>;
  /** The repository as seen from this worktree. */
  readonly repo: Repo;
  /** Folders that are checked out; absent: all. */
  readonly sparse?: readonly string[];
  /** What was odd and what was done about it, in whole sentences. */
  readonly notes: readonly string[];
}

/** Ports a slot has for itself, from SEAM_PORT_BASE on. */
const PORTS_EACH = 20;
/** Below the ports that systems hand out by themselves, above those that programs are known for. */
const FIRST_PORT = 21_000;

export function slotEnvironment(slot: number): Record<string, string> {
  return { SEAM_SLOT: String(slot), SEAM_PORT_BASE: String(FIRST_PORT + (slot - 1) * PORTS_EACH) };
}

/** So that the ports of the last slot are still below those that systems hand out. */
export const MOST_SLOTS = 500;
