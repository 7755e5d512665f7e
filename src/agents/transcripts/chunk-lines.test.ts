import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkLines, joinLines } from "./chunk-lines.ts";
import { MAX_CHUNK_BYTES } from "./format.ts";

/** Bytes with many line ends. */
const content = fc
  .array(fc.oneof(fc.constant(10), fc.nat({ max: 255 })), { maxLength: 200 })
  .map((bytes) => Buffer.from(bytes));

describe("cutting a transcript", () => {
  it("gives back the same bytes, whatever they are", () => {
    fc.assert(
      fc.property(content, fc.integer({ min: -1, max: 50 }), (bytes, limit) => {
        expect(joinLines(chunkLines(bytes, limit)).equals(bytes)).toBe(true);
      }),
    );
  });

  it("keeps to the limit and to line ends; only a longer line stays whole", () => {
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 50 }), (bytes, limit) => {
        const chunks = chunkLines(bytes, limit);
        for (const chunk of chunks.slice(0, -1)) expect(chunk.at(-1)).toBe(10);
        for (const chunk of chunks) {
          const lines = chunk.toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? [];
          expect(chunk.length <= limit || lines.length === 1).toBe(true);
        }
      }),
    );
  });

  it("cuts what came before in the same places when more is appended", () => {
    const lines = Buffer.from("12345\n".repeat(40));
    const more = Buffer.concat([lines, Buffer.from("and more\n".repeat(9))]);
    const [last, ...before] = chunkLines(lines, 50).reverse();
    expect(last).toBeDefined();
    expect(chunkLines(more, 50).slice(0, before.length)).toEqual(before.reverse());
  });

  it("makes one piece of what fits, also of nothing", () => {
    expect(chunkLines(Buffer.alloc(0))).toEqual([Buffer.alloc(0)]);
    expect(chunkLines(Buffer.from("a\nb\n"), 4)).toEqual([Buffer.from("a\nb\n")]);
    expect(joinLines([])).toEqual(Buffer.alloc(0));
  });

  it("stays under what the largest host accepts", () => {
    expect(MAX_CHUNK_BYTES).toBe(50 * 1024 * 1024);
    const long = Buffer.alloc(MAX_CHUNK_BYTES + 10, "x");
    long[100] = 10;
    expect(chunkLines(long).map(({ length }) => length)).toEqual([101, MAX_CHUNK_BYTES - 91]);
  });
});

it("pieces that another program cut without their line ends are put together as lines", () => {
  const chunks = ['{"a":1}\n{"b":2}', "", '{"c":3}\n', '{"d":4}'].map((text) => Buffer.from(text));
  expect(joinLines(chunks).toString()).toBe('{"a":1}\n{"b":2}\n{"c":3}\n{"d":4}');
});
