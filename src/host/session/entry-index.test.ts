import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { SessionEntry } from "../../events/index.ts";
import type { SessionTreeNode } from "../../extensions/index.ts";
import { SessionTree } from "./session-tree.ts";
import { tangle } from "./test-kit/arbitraries.ts";
import { HEADER, line } from "./test-kit/files.ts";

const from = (entries: readonly SessionEntry[]) => SessionTree.fromEntries(HEADER, entries);
const idsOf = (entries: readonly SessionEntry[]) => entries.map(({ id }) => id);

describe("entries that do not form a tree", () => {
  it("an entry below one that is missing is a beginning, and reported", () => {
    const { session, problems } = from([line("a", null), line("b", "gone"), line("c", "b")]);
    expect(problems).toMatchObject([{ kind: "orphan", entryId: "b" }]);
    expect(idsOf(session.getBranch())).toEqual(["b", "c"]);
    expect(idsOf(session.getChildren(null))).toEqual(["a", "b"]);
    expect(idsOf(session.getChildren("b"))).toEqual(["c"]);
  });

  it("a circle is opened at its earliest entry, and reported", () => {
    const { session, problems } = from([line("a", "c"), line("b", "a"), line("c", "b")]);
    expect(problems).toMatchObject([{ kind: "cycle", entryId: "a" }]);
    expect(idsOf(session.getBranch())).toEqual(["a", "b", "c"]);
    expect(session.getTree().map(({ entry }) => entry.id)).toEqual(["a"]);
  });

  it("an entry below itself is a beginning", () => {
    const { session, problems } = from([line("a", "a")]);
    expect(problems).toMatchObject([{ kind: "cycle", entryId: "a" }]);
    expect(idsOf(session.getBranch())).toEqual(["a"]);
  });

  it("of two entries with one id the later counts, also when that closes a circle", () => {
    const twice = [line("a", null, "old"), line("b", "a"), line("a", "b", "new")];
    const { session, problems } = from(twice);
    expect(problems.map(({ kind }) => kind)).toEqual(["duplicate", "cycle"]);
    expect(session.getEntries()).toHaveLength(2);
    expect(session.getEntry("a")).toMatchObject({ message: { content: "new" } });
    expect(idsOf(session.getBranch())).toEqual(["b", "a"]);
  });

  it("a parent that only comes later is found", () => {
    const { session, problems } = from([line("b", "a"), line("a", null)]);
    expect(problems).toEqual([]);
    expect(idsOf(session.getBranch("b"))).toEqual(["a", "b"]);
    expect(session.getTree()[0]?.children[0]?.entry.id).toBe("b");
  });
});

test("in any tangle every entry is in the tree once, every walk ends, and more can be added", () => {
  const flat = (nodes: readonly SessionTreeNode[]): string[] =>
    nodes.flatMap(({ entry, children }) => [entry.id, ...flat(children)]);
  fc.assert(
    fc.property(tangle, (entries) => {
      const { session, problems } = from(entries);
      const last = new Map(entries.map((entry) => [entry.id, entry]));
      expect(flat(session.getTree()).sort()).toEqual([...last.keys()].sort());
      expect(problems.filter(({ kind }) => kind === "duplicate")).toHaveLength(
        entries.length - last.size,
      );
      expect(session.getLeafId()).toBe(entries.at(-1)?.id ?? null);
      for (const [id, entry] of last) {
        expect(session.getEntry(id)).toBe(entry);
        const branch = session.getBranch(id);
        expect(branch.at(-1)).toBe(entry);
        expect(new Set(branch).size).toBe(branch.length);
        const root = branch[0];
        // Nothing is cut off without a word.
        if (root?.parentId != null) {
          expect(problems).toContainEqual(expect.objectContaining({ entryId: root.id }));
        }
      }
      const added = session.appendCustomEntry("more");
      expect(idsOf(session.getBranch()).at(-1)).toBe(added);
      expect(() => session.buildContext()).not.toThrow();
    }),
  );
});
