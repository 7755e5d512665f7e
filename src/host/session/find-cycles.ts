import type { SessionEntry } from "../../events/index.ts";

/**
 * For every circle of parents the one entry that is to be taken as a beginning: the one that was
 * written first. Every entry is visited once.
 */
export function findCycles(
  entries: readonly SessionEntry[],
  byId: ReadonlyMap<string, SessionEntry>,
): Set<string> {
  const position = new Map(entries.map((entry, index) => [entry.id, index]));
  const done = new Set<string>();
  const cut = new Set<string>();
  for (const start of entries) {
    const walk = new Set<string>();
    let entry: SessionEntry | undefined = start;
    while (entry && !done.has(entry.id) && !walk.has(entry.id)) {
      walk.add(entry.id);
      entry = entry.parentId ? byId.get(entry.parentId) : undefined;
    }
    if (entry && walk.has(entry.id)) {
      const steps = [...walk];
      const circle = steps.slice(steps.indexOf(entry.id));
      const order = (id: string) => position.get(id) ?? 0;
      cut.add(circle.reduce((first, id) => (order(id) < order(first) ? id : first)));
    }
    for (const id of walk) done.add(id);
  }
  return cut;
}
