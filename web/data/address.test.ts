import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Address, readAddress, readOpen, VIEWS, writeAddress, writeOpen } from "./address.ts";

const text = fc.string({ unit: "grapheme", minLength: 1 });

function read(address: string): Address {
  const [path = "", search = ""] = address.split(/\?(.*)/s);
  return readAddress(path, search);
}

describe("an address", () => {
  it("comes back as what it was written from", () => {
    const query = fc.dictionary(text, text);
    const session = fc.record({ agent: text, session: text });
    const address: fc.Arbitrary<Address> = fc.oneof(
      fc.record({ view: fc.constantFrom(...VIEWS), query }),
      fc.record({ view: fc.constant("now" as const), session, query }),
    );
    fc.assert(
      fc.property(address, (given) => {
        const before = { ...given, query: { ...given.query } };
        expect(read(writeAddress(given))).toEqual(before);
      }),
    );
  });

  it("that nobody knows is Now, and never an error", () => {
    expect(readAddress("no/such/place", "")).toEqual({ view: "now", query: {} });
    expect(readAddress("session/%E0%A4%A/x", "").session?.agent).toBe("%E0%A4%A");
    expect(readAddress("", "?q=a+b").query).toEqual({ q: "a b" });
  });

  it("leaves out what is empty", () => {
    expect(writeAddress({ view: "history", query: { q: "", branch: "main" } })).toBe(
      "history?branch=main",
    );
  });
});

describe("the open entries", () => {
  it("come back from the address, also with commas in their keys", () => {
    const open = new Set(["12:0", "a,b", "%2C"]);
    expect(readOpen(writeOpen(open))).toEqual(open);
    expect(readOpen(undefined).size).toBe(0);
  });

  it("are the last forty", () => {
    const many = new Set(Array.from({ length: 100 }, (_, n) => String(n)));
    const kept = readOpen(writeOpen(many));
    expect(kept.size).toBe(40);
    expect(kept.has("99")).toBe(true);
  });
});
