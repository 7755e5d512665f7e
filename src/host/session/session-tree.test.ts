import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { SessionTree } from "../index.ts";

const newTree = () => new SessionTree({ cwd: "/project" });
const texts = (tree: SessionTree, from?: string) =>
  tree.getBranch(from).map((entry) => (entry.type === "custom" ? entry.customType : entry.type));

describe("a new session", () => {
  it("is empty, has an id and knows where it runs", () => {
    const tree = newTree();
    expect(tree.getEntries()).toEqual([]);
    expect(tree.getBranch()).toEqual([]);
    expect(tree.getLeafId()).toBeNull();
    expect(tree.getLeafEntry()).toBeUndefined();
    expect(tree.getCwd()).toBe("/project");
    expect(tree.getHeader()).toMatchObject({ type: "session", id: tree.getSessionId() });
    expect(tree.getSessionFile()).toBeUndefined();
    expect(newTree().getSessionId()).not.toBe(tree.getSessionId());
  });

  it("remembers the session it came from", () => {
    const tree = new SessionTree({ cwd: "/", parentSession: "/old.jsonl", file: "/new.jsonl" });
    expect(tree.getHeader()).toMatchObject({ parentSession: "/old.jsonl" });
    expect(tree.getSessionFile()).toBe("/new.jsonl");
  });
});

describe("branches", () => {
  it("going on from an earlier entry makes a branch; both can be read", () => {
    const tree = newTree();
    const a = tree.appendCustomEntry("a");
    const b = tree.appendCustomEntry("b");
    tree.moveTo(a);
    const c = tree.appendCustomEntry("c");
    expect(texts(tree)).toEqual(["a", "c"]);
    expect(texts(tree, b)).toEqual(["a", "b"]);
    expect(tree.getLeafId()).toBe(c);
    const [root, ...others] = tree.getTree();
    expect(others).toEqual([]);
    expect(root?.children.map(({ entry }) => entry.id)).toEqual([b, c]);
  });

  it("moving before everything starts a second root", () => {
    const tree = newTree();
    const a = tree.appendCustomEntry("a");
    tree.moveTo(null);
    const b = tree.appendCustomEntry("b");
    expect(texts(tree)).toEqual(["b"]);
    expect(tree.getTree().map(({ entry }) => entry.id)).toEqual([a, b]);
  });

  it("moving to an entry that is not there changes nothing", () => {
    const tree = newTree();
    const a = tree.appendCustomEntry("a");
    tree.moveTo("nowhere");
    expect(tree.getLeafId()).toBe(a);
    expect(tree.getBranch("nowhere")).toEqual([]);
  });

  it("what is handed out is a copy: nobody can take entries away", () => {
    const tree = newTree();
    tree.appendCustomEntry("a");
    tree.getEntries().pop();
    tree.getBranch().pop();
    expect(tree.getEntries()).toHaveLength(1);
  });
});

describe("labels and names", () => {
  it("a label is set, replaced and removed", () => {
    const tree = newTree();
    const a = tree.appendCustomEntry("a");
    tree.appendLabel(a, "start");
    tree.appendLabel(a, "begin");
    expect(tree.getLabel(a)).toBe("begin");
    expect(tree.getTree()[0]?.label).toBe("begin");
    tree.appendLabel(a, undefined);
    expect(tree.getLabel(a)).toBeUndefined();
  });

  it("the last name given counts", () => {
    const tree = newTree();
    expect(tree.getSessionName()).toBeUndefined();
    tree.appendSessionName("first");
    tree.appendSessionName("second");
    expect(tree.getSessionName()).toBe("second");
  });
});

it("keeps messages, custom messages and compactions as they came", () => {
  const tree = newTree();
  const message = { role: "user", content: "hi", timestamp: 1 };
  tree.appendMessage(message);
  tree.appendCustomMessageEntry("note", "look", true, { line: 1 });
  tree.appendCompaction({ summary: "s", firstKeptEntryId: "x", tokensBefore: 7 }, true);
  expect(tree.getEntries()).toMatchObject([
    { type: "message", message },
    { type: "custom_message", customType: "note", content: "look", details: { line: 1 } },
    { type: "compaction", summary: "s", tokensBefore: 7, fromHook: true },
  ]);
});

/** Append, or move to the entry this far back (or before everything). */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant("append" as const) },
  { weight: 1, arbitrary: fc.nat({ max: 30 }) },
);

test("the branch is the path from the root to where the session stands", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const tree = newTree();
      /** What the session should be, kept apart: each entry with the path that leads to it. */
      const paths = new Map<string, string[]>();
      const ids: string[] = [];
      let here: string | null = null;
      for (const one of steps) {
        if (one === "append") {
          const id = tree.appendCustomEntry(`e${ids.length}`);
          paths.set(id, [...(here === null ? [] : (paths.get(here) ?? [])), id]);
          ids.push(id);
          here = id;
        } else {
          here = ids[ids.length - one] ?? null;
          tree.moveTo(here);
        }
        expect(tree.getLeafId()).toBe(here);
        expect(tree.getBranch().map(({ id }) => id)).toEqual(here ? paths.get(here) : []);
      }
      for (const id of ids) expect(tree.getBranch(id).map((e) => e.id)).toEqual(paths.get(id));
      expect(tree.getEntries().map(({ id }) => id)).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});
