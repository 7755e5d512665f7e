import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AssistantMessage } from "../../events/index.ts";
import { fitToWindow } from "./compaction-settings.ts";
import { prepareAfterOverflow } from "./prepare-after-overflow.ts";
import { prepareCompaction } from "./prepare-compaction.ts";
import { assistant, branch, call, compaction, drafts, entry, result, user } from "./test-kit.ts";

const contextWindow = 8_192;
const settings = fitToWindow(
  { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000 },
  contextWindow,
);
const refusal = (errorMessage = "prompt is too long"): AssistantMessage => ({
  ...assistant("", { stopReason: "error" }),
  errorMessage,
});
const refused = (drafted: Parameters<typeof branch>[0], tries = 0) =>
  prepareAfterOverflow(branch(drafted), settings, { contextWindow, tries });

// Each is 2,000 tokens for a provider that counts characters, and 500 for the estimate.
const talk = [0, 1, 2, 3].flatMap((n) => [
  entry(user(`${n}${"汉".repeat(1_999)}`)),
  entry(assistant("好")),
]);

describe("after a refusal", () => {
  it("what is kept is measured by the window that was too small, not by the estimate", () => {
    const entries = [...talk, entry(user("next")), entry(refusal())];
    expect(prepareCompaction(branch(entries), settings)).toBeUndefined();
    expect(refused(entries)).toMatchObject({ firstKeptEntryId: "e6" });
  });

  it("by the provider's own count, if it says one", () => {
    const said = "However, your messages resulted in 40,000 tokens. Request 99123456789.";
    expect(refused([...talk, entry(user("next")), entry(refusal(said))])).toMatchObject({
      firstKeptEntryId: "e8",
    });
  });

  it("less is kept each time, down to the question, which always stays", () => {
    const entries = [...talk, entry(user("x".repeat(100))), entry(refusal())];
    const kept = [0, 1, 2, 9].map((tries) => refused(entries, tries)?.firstKeptEntryId);
    expect(kept).toEqual(["e6", "e8", "e8", "e8"]);
  });

  it("there is another compaction, although nothing was said since the last one", () => {
    const entries = [
      ...talk,
      entry(user("q")),
      entry(refusal()),
      compaction("e4"),
      entry(refusal()),
    ];
    const prepared = refused(entries, 1);
    expect(prepared).toMatchObject({ firstKeptEntryId: "e8", previousSummary: "notes" });
    expect(prepared?.messagesToSummarize).toHaveLength(4);
  });

  it("a question that is too long by itself cannot be helped", () => {
    expect(refused([entry(user("x".repeat(90_000))), entry(refusal())])).toBeUndefined();
    const compacted = [...talk, entry(user("q")), compaction("e8"), entry(refusal())];
    expect(refused(compacted, 1)).toBeUndefined();
  });

  it("results stay with their calls", () => {
    const entries = [
      entry(user("q")),
      entry(assistant([call("a", "read")])),
      entry(result("a", "汉".repeat(4_000))),
      entry(assistant([call("b", "read")])),
      entry(result("b", "汉".repeat(4_000))),
      entry(refusal()),
    ];
    expect(refused(entries, 5)).toMatchObject({ firstKeptEntryId: "e3", isSplitTurn: true });
  });

  it("as long as there is something besides the last exchange, something goes", () => {
    fc.assert(
      fc.property(drafts, fc.nat({ max: 5 }), (drafted, tries) => {
        const entries = [entry(user("first")), ...drafted, entry(user("last")), entry(refusal())];
        const prepared = refused(entries, tries);
        const ids = branch(entries).map(({ id }) => id);
        expect(ids.indexOf(prepared?.firstKeptEntryId ?? "e0")).toBeLessThan(ids.length - 1);
        expect(prepared).toBeDefined();
      }),
    );
  });
});
