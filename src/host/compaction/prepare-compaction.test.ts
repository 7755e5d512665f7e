import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../../events/index.ts";
import { entryMessages } from "../session/index.ts";
import { DEFAULT_COMPACTION } from "./compaction-settings.ts";
import { compactionDetails } from "./file-ops.ts";
import { prepareCompaction } from "./prepare-compaction.ts";
import { assistant, branch, call, compaction, drafts, entry, result, user } from "./test-kit.ts";

const long = "x".repeat(400);
const keep = (keepRecentTokens: number) => ({ ...DEFAULT_COMPACTION, keepRecentTokens });

describe("a compaction is prepared", () => {
  it("not for a session that is short, empty, or was compacted just now", () => {
    expect(prepareCompaction([])).toBeUndefined();
    expect(prepareCompaction(branch([entry(user("hi")), entry(assistant("hi"))]))).toBeUndefined();
    const done = branch([entry(user(long)), entry(user(long)), compaction("e1")]);
    expect(prepareCompaction(done, keep(1))).toBeUndefined();
    const named = [...done, ...branch([{ type: "session_info", name: "n" }], 3)];
    expect(prepareCompaction(named, keep(1))).toBeUndefined();
  });

  it("with what goes, what stays and how large everything was", () => {
    const entries = branch([
      entry(user("old")),
      entry(assistant("answer", { total: 900, timestamp: 1 })),
      entry(user(long)),
    ]);
    expect(prepareCompaction(entries, keep(50))).toMatchObject({
      firstKeptEntryId: "e2",
      messagesToSummarize: [{ role: "user" }, { role: "assistant" }],
      turnPrefixMessages: [],
      isSplitTurn: false,
      tokensBefore: 1_000,
      settings: keep(50),
    });
  });

  it("with the first part of a turn that is too long, apart from what came before", () => {
    const entries = branch([
      entry(user("old")),
      entry(user("new")),
      entry(assistant([call("a", "read")])),
      entry(result("a", long)),
      entry(assistant(long)),
    ]);
    const prepared = prepareCompaction(entries, keep(50));
    expect(prepared?.isSplitTurn).toBe(true);
    expect(prepared?.messagesToSummarize).toHaveLength(1);
    expect(prepared?.turnPrefixMessages).toHaveLength(3);
    expect(prepared?.previousSummary).toBeUndefined();
  });

  it("from what the last one kept, with its summary", () => {
    const entries = branch([
      entry(user("summarised already")),
      entry(user("kept")),
      compaction("e1", "earlier notes"),
      entry(user("new")),
      entry(user(long)),
    ]);
    const prepared = prepareCompaction(entries, keep(50));
    expect(prepared?.previousSummary).toBe("earlier notes");
    expect(prepared?.messagesToSummarize).toEqual([user("kept"), user("new")]);
  });

  it.each([
    ["is not on this branch", "nowhere"],
    ["is the compaction itself", "e1"],
    ["comes after it", "e2"],
  ])("from what was said since, when the boundary %s", (_, boundary) => {
    const entries = branch([
      entry(user("gone")),
      compaction(boundary),
      entry(user("new")),
      entry(user(long)),
    ]);
    expect(prepareCompaction(entries, keep(50))?.messagesToSummarize).toEqual([user("new")]);
  });
});

describe("the files of a compaction", () => {
  it("are those that tools read and changed, not those where they failed", () => {
    const entries = branch([
      entry(user("go")),
      entry(
        assistant([
          call("1", "read", { path: "a.ts" }),
          call("2", "edit", { path: "b.ts" }),
          call("3", "write", { path: "c.ts" }),
          call("4", "write", { path: "full-disk.ts" }),
          call("5", "read", { path: "b.ts" }),
          call("6", "bash", { command: "ls", path: "no.ts" }),
          call("7", "constructor", { path: "no.ts" }),
          call("8", "read", { path: 7 }),
        ]),
      ),
      entry(result("4", "no space", true)),
      entry(user(long)),
    ]);
    const { fileOps } = prepareCompaction(entries, keep(50)) ?? {};
    expect(fileOps && compactionDetails(fileOps)).toEqual({
      readFiles: ["a.ts"],
      modifiedFiles: ["b.ts", "c.ts"],
    });
  });

  it("go on from one compaction to the next, whoever made the first", () => {
    const details = { readFiles: ["old-read.ts", 7], modifiedFiles: ["old-edit.ts"] };
    const entries = branch([
      entry(user("gone")),
      compaction("e1", "notes", details),
      { type: "branch_summary", fromId: "e0", summary: "s", details: { readFiles: ["branch.ts"] } },
      entry(assistant([call("1", "write", { path: "old-read.ts" })])),
      entry(user(long)),
    ]);
    const { fileOps } = prepareCompaction(entries, keep(50)) ?? {};
    expect(fileOps && compactionDetails(fileOps)).toEqual({
      readFiles: ["branch.ts"],
      modifiedFiles: ["old-edit.ts", "old-read.ts"],
    });
  });
});

describe("for any session", () => {
  it("what is summarised and what is kept is everything, in order, once", () => {
    fc.assert(
      fc.property(drafts, fc.nat({ max: 1_000 }), (all, tokens) => {
        const entries = branch(all);
        const prepared = prepareCompaction(entries, keep(tokens));
        if (!prepared) return;
        const { messagesToSummarize, turnPrefixMessages } = prepared;
        const kept = entryMessages(entries.slice(positionOf(entries, prepared.firstKeptEntryId)));
        expect([...messagesToSummarize, ...turnPrefixMessages, ...kept]).toEqual(
          entryMessages(entries),
        );
      }),
    );
  });

  it("compacting again and again loses nothing and summarises nothing twice", () => {
    const step = fc.tuple(drafts, fc.nat({ max: 600 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), (steps) => {
        let entries: SessionEntry[] = [];
        const summarised: unknown[] = [];
        for (const [all, tokens] of steps) {
          entries = [...entries, ...branch(all, entries.length)];
          const prepared = prepareCompaction(entries, keep(tokens));
          if (!prepared) continue;
          summarised.push(...prepared.messagesToSummarize, ...prepared.turnPrefixMessages);
          const summary = `after ${summarised.length}`;
          const made = compaction(prepared.firstKeptEntryId, summary);
          entries = [...entries, ...branch([made], entries.length)];
          const kept = entryMessages(entries.slice(positionOf(entries, made.firstKeptEntryId)));
          expect([...summarised, ...kept]).toEqual(entryMessages(entries));
        }
      }),
    );
  });
});

function positionOf(entries: readonly SessionEntry[], id: string): number {
  return entries.findIndex((one) => one.id === id);
}
