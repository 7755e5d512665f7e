import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EntriesPage, Entry } from "../../src/view/api.ts";
import { askAfter, ends, missing, NO_ENTRIES, withPage } from "./entry-window.ts";

const entry = (n: number): Entry => ({ key: `k${n}`, kind: "answer", body: { text: `${n}` } });
const call = (n: number, state: "running" | "done"): Entry => ({
  key: `k${n}`,
  kind: "call",
  call: { tool: "bash", nativeTool: "Bash", state },
});
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => entry(from + n));
const page = (from: number, to: number, all: number, isCounted = false): EntriesPage => ({
  entries: range(from, to),
  hasBefore: from > 0,
  hasAfter: to < all,
  ...(isCounted ? { total: all, from } : {}),
});
const keys = (window: { entries: readonly (Entry | undefined)[] }) =>
  window.entries.map((one) => one?.key ?? "");

describe("entries nobody has counted", () => {
  it("grow at both ends", () => {
    const last = withPage(NO_ENTRIES, page(6, 9, 9), "anywhere");
    const before = withPage(last, page(3, 6, 9), "before");
    const after = withPage(before, page(9, 10, 10), "after");
    expect(keys(after)).toEqual(range(3, 10).map(({ key }) => key));
    expect(after).toMatchObject({ hasBefore: true, hasAfter: false });
  });

  it("are replaced when a page from elsewhere comes", () => {
    const last = withPage(NO_ENTRIES, page(90, 100, 100), "anywhere");
    const elsewhere = withPage(last, page(10, 20, 100), "anywhere");
    expect(ends(elsewhere)).toEqual({ first: "k10", last: "k19" });
    expect(elsewhere.hasAfter).toBe(true);
  });

  it("get their places when they are counted, and none is lost", () => {
    const last = withPage(NO_ENTRIES, page(6, 9, 9), "anywhere");
    const counted = withPage(last, page(3, 6, 9, true), "before");
    expect(keys(counted)).toEqual(["", "", "", ...range(3, 9).map(({ key }) => key)]);
    expect(counted.places.get("k8")).toBe(8);
  });

  it("get their places from a page behind them, too", () => {
    const last = withPage(NO_ENTRIES, page(6, 9, 9), "anywhere");
    const counted = withPage(last, page(9, 11, 11, true), "after");
    expect(keys(counted).slice(6)).toEqual(range(6, 11).map(({ key }) => key));
  });
});

describe("counted entries", () => {
  it("are the session itself once every missing piece was asked for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.array(fc.nat(299)), (all, looks) => {
        let window = withPage(NO_ENTRIES, page(Math.max(0, all - 20), all, all, true), "anywhere");
        for (const look of [...looks, ...Array.from({ length: all }, (_, n) => n)]) {
          const gap = missing(window, look, look + 10, 25);
          if (!gap) continue;
          expect(gap.limit).toBeGreaterThan(0);
          window = withPage(window, page(gap.at, gap.at + gap.limit, all, true), "anywhere");
        }
        expect(keys(window)).toEqual(range(0, all).map(({ key }) => key));
      }),
    );
  });

  it("grow at the end while the session does", () => {
    const window = withPage(NO_ENTRIES, page(5, 10, 10, true), "anywhere");
    const grown = withPage(window, page(10, 12, 12, true), "after");
    expect(grown.entries.length).toBe(12);
    expect(grown.places.get("k9")).toBe(9);
  });
});

describe("what is asked for when a session has grown", () => {
  it("is what comes after the last entry", () => {
    expect(askAfter(withPage(NO_ENTRIES, page(0, 3, 3), "anywhere"))).toBe("k2");
  });

  it("is also every call that still ran", () => {
    const entries = [entry(0), call(1, "running"), call(2, "done"), call(3, "running")];
    const window = withPage(NO_ENTRIES, { entries, hasBefore: false, hasAfter: false }, "anywhere");
    expect(askAfter(window)).toBe("k0");
  });

  it("is nothing while the end is not on the page", () => {
    expect(askAfter(withPage(NO_ENTRIES, page(0, 3, 9), "anywhere"))).toBeUndefined();
  });

  it("replaces calls by their news", () => {
    const running = { entries: [entry(0), call(1, "running")], hasBefore: false, hasAfter: false };
    const window = withPage(NO_ENTRIES, running, "anywhere");
    const news = { entries: [call(1, "done"), entry(2)], hasBefore: true, hasAfter: false };
    const after = withPage(window, news, "after");
    expect(keys(after)).toEqual(["k0", "k1", "k2"]);
    expect(after.entries[1]).toMatchObject({ call: { state: "done" } });
  });
});
