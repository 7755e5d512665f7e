import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentMessage, SessionEntry } from "../../events/index.ts";
import { buildContext } from "./build-context.ts";
import { SessionTree } from "./session-tree.ts";
import { tree as anyTree } from "./test-kit/arbitraries.ts";
import { user } from "./test-kit/files.ts";

const newTree = () => new SessionTree({ cwd: "/project" });
const said = (tree: SessionTree) =>
  tree.buildContext().messages.map((message) => {
    if (message.role === "user") return message.content;
    return "summary" in message ? `${message.role}: ${message.summary}` : message.role;
  });

describe("what the model sees", () => {
  it("of a new session: nothing, thinking off, no model", () => {
    expect(newTree().buildContext()).toEqual({ messages: [], thinkingLevel: "off", model: null });
  });

  it("only the branch the session stands on", () => {
    const tree = newTree();
    const a = tree.appendMessage(user("a"));
    tree.appendMessage(user("b"));
    tree.moveTo(a);
    tree.appendMessage(user("c"));
    expect(said(tree)).toEqual(["a", "c"]);
    tree.resetLeaf();
    expect(said(tree)).toEqual([]);
  });

  it("custom messages and summaries of left branches, but no custom entries", () => {
    const tree = newTree();
    tree.appendCustomEntry("state", { secret: true });
    tree.appendCustomMessageEntry("note", "look", false, { line: 1 });
    tree.appendBranchSummary({ fromId: "root", summary: "went wrong" });
    tree.appendBranchSummary({ fromId: "root", summary: "" });
    tree.appendLabel("x", "y");
    const [note, branch, ...others] = tree.buildContext().messages;
    expect(note).toEqual({
      role: "custom",
      customType: "note",
      content: "look",
      display: false,
      details: { line: 1 },
      timestamp: expect.any(Number),
    });
    expect(branch).toMatchObject({ role: "branchSummary", summary: "went wrong", fromId: "root" });
    expect(others).toEqual([]);
  });

  it("the model and thinking level of the last change, or of the last answer", () => {
    const tree = newTree();
    tree.appendModelChange("acme", "small");
    tree.appendThinkingLevelChange("high");
    expect(tree.buildContext()).toMatchObject({
      thinkingLevel: "high",
      model: { provider: "acme", modelId: "small" },
    });
    tree.appendMessage({ role: "assistant", content: [], provider: "acme", model: "large" });
    expect(tree.buildContext().model).toEqual({ provider: "acme", modelId: "large" });
  });
});

describe("after a compaction the model sees", () => {
  const compacted = (keep: (ids: string[]) => string) => {
    const tree = newTree();
    const ids = ["a", "b", "c"].map((text) => tree.appendMessage(user(text)));
    tree.appendCompaction({ summary: "abc", firstKeptEntryId: keep(ids), tokensBefore: 9 }, false);
    tree.appendMessage(user("d"));
    return tree;
  };

  it("the summary, then what was kept, then what came after", () => {
    const tree = compacted(([, b]) => b ?? "");
    expect(said(tree)).toEqual(["compactionSummary: abc", "b", "c", "d"]);
  });

  it("nothing from before if the compaction keeps an entry that is not there", () => {
    expect(said(compacted(() => "gone"))).toEqual(["compactionSummary: abc", "d"]);
  });

  it("nothing from before if the compaction names itself as the first kept", () => {
    const path = compacted(() => "gone").getBranch();
    const own = path.map((entry) =>
      entry.type === "compaction" ? { ...entry, firstKeptEntryId: entry.id } : entry,
    );
    const { messages } = buildContext(own);
    expect(messages.map(({ role }) => role)).toEqual(["compactionSummary", "user"]);
  });

  it("only the latest summary; an earlier one is not repeated among what is kept", () => {
    const tree = compacted(([, b]) => b ?? "");
    const [first] = tree.getEntries();
    const again = { summary: "abcd", firstKeptEntryId: first?.id ?? "", tokensBefore: 9 };
    tree.appendCompaction(again, false);
    expect(said(tree)).toEqual(["compactionSummary: abcd", "a", "b", "c", "d"]);
  });
});

/** The same rules told differently: from the leaf backwards, each entry judged alone. */
function reference(entries: readonly SessionEntry[], leafId: string | null) {
  const find = (id: string | null) => entries.find((entry) => entry.id === id);
  const walk = (entry: SessionEntry | undefined): SessionEntry[] =>
    entry ? [...walk(find(entry.parentId)), entry] : [];
  const path = walk(find(leafId));
  const at = path.findLastIndex(({ type }) => type === "compaction");
  const compaction = path[at];
  const keptFrom =
    compaction?.type === "compaction"
      ? path.findIndex(({ id }) => id === compaction.firstKeptEntryId)
      : 0;
  const seen: Partial<AgentMessage>[] = [];
  if (compaction?.type === "compaction") {
    seen.push({ role: "compactionSummary", summary: compaction.summary });
  }
  for (const [i, entry] of path.entries()) {
    if (i < at && (keptFrom === -1 || keptFrom >= at || i < keptFrom)) continue;
    if (entry.type === "message") seen.push(entry.message);
    if (entry.type === "custom_message") seen.push({ role: "custom", content: entry.content });
    if (entry.type === "branch_summary" && entry.summary !== "") {
      seen.push({ role: "branchSummary", summary: entry.summary });
    }
  }
  return { path, seen };
}

test("for any tree and any place in it, context and branch are those of the plain rules", () => {
  fc.assert(
    fc.property(anyTree, fc.nat(), (entries, number) => {
      const header = newTree().getHeader();
      const { session, problems } = SessionTree.fromEntries(header, entries);
      expect(problems).toEqual([]);
      const place = entries[number % (entries.length + 1)]?.id ?? null;
      session.moveTo(place);
      const { path, seen } = reference(entries, place);
      expect(session.getBranch()).toEqual(path);
      const { messages } = session.buildContext();
      expect(messages).toHaveLength(seen.length);
      for (const [i, message] of seen.entries()) expect(messages[i]).toMatchObject(message);
    }),
  );
});
