import fc from "fast-check";
import { expect, it } from "vitest";
import { chunkFileName, parseChunkIndex, sortChunkFiles } from "./chunk-names.ts";

it("names the first piece like the whole and numbers the others", () => {
  expect([0, 1, 12, 1000].map((index) => chunkFileName("full.jsonl", index))).toEqual([
    "full.jsonl",
    "full.jsonl.001",
    "full.jsonl.012",
    "full.jsonl.1000",
  ]);
});

it("reads back every index it writes", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat({ max: 1_000_000 }), (base, index) => {
      expect(parseChunkIndex(chunkFileName(base, index), base)).toBe(index);
    }),
  );
});

it.each(["full.jsonl.", "full.jsonl.1", "full.jsonl.01", "full.jsonl.000", "full.jsonl.0001"])(
  "takes %s for no piece",
  (name) => {
    expect(parseChunkIndex(name, "full.jsonl")).toBe(-1);
  },
);

it.each(["other.jsonl.001", "full.jsonl.1a1", "full.jsonl.-01", "xfull.jsonl", ""])(
  "takes %s for no piece either",
  (name) => {
    expect(parseChunkIndex(name, "full.jsonl")).toBe(-1);
  },
);

it("puts pieces in their order, past a thousand too, and leaves out what is none", () => {
  const names = ["f.1000", "metadata.json", "f.002", "f", "f.010", "f.001", "f.txt"];
  expect(sortChunkFiles(names, "f")).toEqual(["f", "f.001", "f.002", "f.010", "f.1000"]);
});
