import fc from "fast-check";
import { expect, it } from "vitest";
import { isSearch, marked, searchWish } from "./search-wish.ts";

it("searches when there is a word or a filter, and not for a repository alone", () => {
  expect(isSearch({ q: "  " })).toBe(false);
  expect(isSearch({ repository: "/shop" })).toBe(false);
  expect(isSearch({ agent: "codex" })).toBe(true);
  expect(isSearch({ stopped: "1" })).toBe(true);
});

it("asks for what the address says, and for nothing else", () => {
  expect(searchWish({ q: " ledger ", agent: "codex", stopped: "1", repository: "/x" })).toEqual({
    query: "ledger",
    limit: 30,
    agent: "codex",
    stopped: true,
  });
});

it("marks what was found and loses no letter of a snippet", () => {
  expect(marked({ text: "a ledger b", hits: [[2, 8]] })).toEqual([
    { text: "a ", isHit: false },
    { text: "ledger", isHit: true },
    { text: " b", isHit: false },
  ]);
  const hits = fc.array(fc.tuple(fc.nat(30), fc.nat(30)));
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), hits, (text, found) => {
      const pieces = marked({ text, hits: found });
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    }),
  );
});
