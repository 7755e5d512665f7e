import type { SessionEntry } from "../../events/index.ts";
import type { ReadonlySessionManager } from "../../extensions/index.ts";

type Branches = Pick<ReadonlySessionManager, "getBranch">;

/** The last entry two branches share. Null: they share none. */
export function commonAncestor(
  session: Branches,
  a: string | null,
  b: string | null,
): string | null {
  if (a === null || b === null) return null;
  const other = new Set(session.getBranch(b).map(({ id }) => id));
  return session.getBranch(a).findLast(({ id }) => other.has(id))?.id ?? null;
}

/** What is left behind on the way from one entry to another, oldest first. */
export function entriesBetween(
  session: Branches,
  oldLeafId: string | null,
  targetId: string | null,
): SessionEntry[] {
  if (oldLeafId === null) return [];
  const shared = commonAncestor(session, oldLeafId, targetId);
  const branch = session.getBranch(oldLeafId);
  return branch.slice(branch.findIndex(({ id }) => id === shared) + 1);
}
