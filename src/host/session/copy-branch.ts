import { randomBytes } from "node:crypto";
import type { SessionEntry } from "../../events/index.ts";
import type { SessionTree } from "./session-tree.ts";

/**
 * The way to an entry as the content of another session: same ids, one below the other. Labels
 * are set anew at the end, because the ones that count may stand on another branch.
 */
export function copyBranch(session: SessionTree, leafId: string | null): SessionEntry[] {
  const copy: SessionEntry[] = [];
  const add = (entry: SessionEntry) => {
    const parentId = copy.at(-1)?.id ?? null;
    copy.push(entry.parentId === parentId ? entry : { ...entry, parentId });
  };
  for (const entry of session.getBranch(leafId)) if (entry.type !== "label") add(entry);
  const ids = new Set(copy.map(({ id }) => id));
  const timestamp = new Date().toISOString();
  for (const [targetId, label] of session.getLabels()) {
    if (!ids.has(targetId)) continue;
    let id: string;
    do id = randomBytes(4).toString("hex");
    while (ids.has(id));
    ids.add(id);
    add({ type: "label", id, parentId: null, timestamp, targetId, label });
  }
  return copy;
}
