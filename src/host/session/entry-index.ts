import type { SessionEntry } from "../../events/index.ts";
import type { SessionTreeNode } from "../../extensions/index.ts";
import type { SessionProblem } from "./session-problem.ts";

/** The entries of a session by id, by parent and in the order they were written. */
export class EntryIndex {
  readonly #byId = new Map<string, SessionEntry>();
  readonly #labels = new Map<string, string>();
  /** Entries whose link to a parent is not followed, so that every walk to the root ends. */
  #cut: ReadonlySet<string> = new Set();
  #entries: SessionEntry[] = [];

  /** Takes entries from anywhere: what does not form a tree is reported and still reachable. */
  static from(entries: Iterable<SessionEntry>): { index: EntryIndex; problems: SessionProblem[] } {
    const index = new EntryIndex();
    const problems: SessionProblem[] = [];
    const replaced = new Set<SessionEntry>();
    const unresolved: SessionEntry[] = [];
    for (const entry of entries) {
      const earlier = index.get(entry.id);
      if (earlier) {
        replaced.add(earlier);
        problems.push(problem("duplicate", entry.id, "is there twice; the later one counts"));
      }
      // In a file that is only appended to, a parent always comes before its children.
      if (entry.parentId && !index.has(entry.parentId)) unresolved.push(entry);
      index.add(entry);
    }
    if (replaced.size > 0) index.#entries = index.#entries.filter((entry) => !replaced.has(entry));
    const missing = unresolved.filter(({ parentId }) => parentId && !index.has(parentId));
    for (const { id, parentId } of missing) {
      problems.push(problem("orphan", id, `stands below ${parentId}, which is not there`));
    }
    // Only a link forward can close a circle, or one that now leads to a later entry.
    if (replaced.size > 0 || unresolved.length > missing.length) {
      index.#cut = findCycles(index.#entries, index.#byId);
      for (const id of index.#cut) {
        problems.push(problem("cycle", id, "stands below itself; it is taken as a beginning"));
      }
    }
    return { index, problems };
  }

  get all(): readonly SessionEntry[] {
    return this.#entries;
  }

  get labels(): ReadonlyMap<string, string> {
    return this.#labels;
  }

  get = (id: string) => this.#byId.get(id);
  has = (id: string) => this.#byId.has(id);

  add(entry: SessionEntry): void {
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    if (entry.type !== "label") return;
    if (entry.label) this.#labels.set(entry.targetId, entry.label);
    else this.#labels.delete(entry.targetId);
  }

  /** From the root to an entry. */
  path(id: string | null): SessionEntry[] {
    const path: SessionEntry[] = [];
    let entry = id === null ? undefined : this.#byId.get(id);
    for (; entry; entry = this.#parentOf(entry)) path.push(entry);
    return path.reverse();
  }

  /** What stands directly below an entry; below null: every beginning. */
  children(parentId: string | null): SessionEntry[] {
    return this.#entries.filter((entry) => (this.#parentOf(entry)?.id ?? null) === parentId);
  }

  tree(): SessionTreeNode[] {
    const nodes = new Map<string, SessionTreeNode>();
    for (const entry of this.#entries) {
      const label = this.#labels.get(entry.id);
      nodes.set(entry.id, { entry, children: [], ...(label !== undefined && { label }) });
    }
    const roots: SessionTreeNode[] = [];
    for (const node of nodes.values()) {
      const parent = nodes.get(this.#parentOf(node.entry)?.id ?? "");
      (parent?.children ?? roots).push(node);
    }
    return roots;
  }

  #parentOf(entry: SessionEntry): SessionEntry | undefined {
    if (!entry.parentId || this.#cut.has(entry.id)) return undefined;
    return this.#byId.get(entry.parentId);
  }
}

function problem(kind: SessionProblem["kind"], entryId: string, what: string): SessionProblem {
  return { kind, entryId, message: `The entry ${entryId} ${what}.` };
}

/**
 * For every circle of parents the one entry that is to be taken as a beginning: the one that was
 * written first. Every entry is visited once.
 */
function findCycles(
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
