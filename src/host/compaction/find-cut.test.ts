import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryMessage, entryMessages } from "../session/index.ts";
import { findCut } from "./find-cut.ts";
import { assistant, branch, call, drafts, entry, result, user } from "./test-kit.ts";
import { estimateTokens } from "./tokens.ts";
import { toolCallsOf } from "./tool-calls-of.ts";

const long = "x".repeat(400);
const cut = (entries: ReturnType<typeof branch>, keepRecentTokens: number) =>
  findCut(entries, { keepRecentTokens });

describe("a cut", () => {
  it("keeps everything when there is no more than is to be kept", () => {
    const entries = branch([entry(user(long)), entry(assistant(long))]);
    expect(cut(entries, 201)).toEqual({ firstKeptIndex: 0, isSplitTurn: false, turnStartIndex: 0 });
    expect(cut([], 10).firstKeptIndex).toBe(0);
  });

  it("falls at a prompt when the last turn is long enough", () => {
    const entries = branch([
      entry(user(long)),
      entry(assistant(long)),
      entry(user(long)),
      entry(assistant(long)),
    ]);
    expect(cut(entries, 150)).toEqual({ firstKeptIndex: 2, isSplitTurn: false, turnStartIndex: 2 });
  });

  it("falls at an answer when the turn is too long, and says where the turn began", () => {
    const entries = branch([
      entry(user("first")),
      entry(assistant("fine")),
      entry(user("second")),
      entry(assistant([call("a", "read")])),
      entry(result("a", long)),
      entry(assistant([call("b", "read")])),
      entry(result("b", long)),
    ]);
    expect(cut(entries, 50)).toEqual({ firstKeptIndex: 5, isSplitTurn: true, turnStartIndex: 2 });
  });

  it("goes back over what was said while a tool ran", () => {
    const entries = branch([
      entry(user("go")),
      entry(assistant("first")),
      entry(assistant([call("a", "bash"), call("b", "bash")])),
      entry(result("a", "done")),
      entry(user("wait, also this")),
      entry(result("b", long)),
    ]);
    expect(cut(entries, 101).firstKeptIndex).toBe(2);
  });

  it("never falls at a result, not even at one whose call is lost", () => {
    const entries = branch([
      entry(user("go")),
      entry(assistant("working")),
      entry(result("lost", long)),
      entry(user("and?")),
    ]);
    expect(cut(entries, 50).firstKeptIndex).toBe(1);
  });

  it("takes the entries before a message along with it", () => {
    const entries = branch([
      entry(user(long)),
      entry(assistant(long)),
      { type: "model_change", provider: "p", modelId: "m" },
      { type: "label", targetId: "e0", label: "x" },
      entry(user(long)),
    ]);
    expect(cut(entries, 100).firstKeptIndex).toBe(2);
  });
});

describe("for any session and any size", () => {
  const cases = fc.tuple(
    drafts.map((all) => branch(all)),
    fc.nat({ max: 1_500 }),
  );

  it("every tool result that is kept is kept with its call", () => {
    fc.assert(
      fc.property(cases, ([entries, keep]) => {
        const kept = entryMessages(entries.slice(cut(entries, keep).firstKeptIndex));
        const calls = new Set(kept.flatMap(toolCallsOf).map(({ id }) => id));
        for (const message of kept) {
          if (message.role === "toolResult") expect(calls).toContain(message.toolCallId);
        }
      }),
    );
  });

  it("at least as much is kept as was asked for, if there is that much", () => {
    fc.assert(
      fc.property(cases, ([entries, keep]) => {
        const total = tokensOf(entries);
        const kept = tokensOf(entries.slice(cut(entries, keep).firstKeptIndex));
        expect(kept).toBeGreaterThanOrEqual(Math.min(keep, total));
      }),
    );
  });

  it("no later place would do", () => {
    fc.assert(
      fc.property(cases, ([entries, keep]) => {
        const { firstKeptIndex } = cut(entries, keep);
        const first = entries.findIndex(
          (one, index) => index >= firstKeptIndex && entryMessage(one),
        );
        for (let place = first + 1; place < entries.length && first !== -1; place++) {
          const wouldDo = isAllowed(entries, place) && tokensOf(entries.slice(place)) >= keep;
          expect(wouldDo).toBe(false);
        }
      }),
    );
  });

  it("a split turn begins before the cut, with something that starts a turn", () => {
    fc.assert(
      fc.property(cases, ([entries, keep]) => {
        const { firstKeptIndex, isSplitTurn, turnStartIndex } = cut(entries, keep);
        if (!isSplitTurn) {
          expect(turnStartIndex).toBe(firstKeptIndex);
          return;
        }
        expect(turnStartIndex).toBeLessThan(firstKeptIndex);
        const start = entries[turnStartIndex];
        const role = start && entryMessage(start)?.role;
        expect(["user", "custom", "bashExecution", "branchSummary"]).toContain(role);
      }),
    );
  });
});

type Entries = ReturnType<typeof branch>;

function tokensOf(entries: Entries): number {
  return entryMessages(entries).reduce((sum, message) => sum + estimateTokens(message), 0);
}

/** The rule, said the slow way: a message, not a result, with no result behind whose call is before. */
function isAllowed(entries: Entries, place: number): boolean {
  const here = entries[place];
  const message = here && entryMessage(here);
  if (!message || message.role === "toolResult") return false;
  const before = entryMessages(entries.slice(0, place)).flatMap(toolCallsOf);
  return !entryMessages(entries.slice(place)).some(
    (later) => later.role === "toolResult" && before.some(({ id }) => id === later.toolCallId),
  );
}
