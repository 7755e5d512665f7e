import fc from "fast-check";
import { expect, it } from "vitest";
import { chunkLimit, cutLines } from "./chunk-lines.ts";

const line = (bytes: number) => Buffer.concat([Buffer.alloc(bytes - 1, "x"), Buffer.from("\n")]);
const joined = ({ closed, tail }: ReturnType<typeof cutLines>) => Buffer.concat([...closed, tail]);

it("keeps little content in one piece", () => {
  const { closed, tail } = cutLines(Buffer.from('{"a":1}\n'), 0);
  expect(closed).toEqual([]);
  expect(tail.toString()).toBe('{"a":1}\n');
});

it("cuts at line ends only, and loses nothing", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 200_000 }), { maxLength: 20 }),
      fc.nat({ max: 300 }),
      (sizes, index) => {
        const content = Buffer.concat(sizes.map(line));
        const cut = cutLines(content, index);
        expect(joined(cut).equals(content)).toBe(true);
        for (const chunk of cut.closed) expect(chunk.at(-1)).toBe(10);
      },
    ),
    { numRuns: 30 },
  );
});

it("gives the same closed chunks whether lines come at once or one after the other", () => {
  const lines = Array.from({ length: 60 }, (_, i) => line(1_000 + i * 997));
  const atOnce = cutLines(Buffer.concat(lines), 0);
  const closed: Buffer[] = [];
  let tail: Buffer = Buffer.alloc(0);
  for (const one of lines) {
    const cut = cutLines(Buffer.concat([tail, one]), closed.length);
    closed.push(...cut.closed);
    tail = cut.tail;
  }
  expect(closed.map(String)).toEqual(atOnce.closed.map(String));
  expect(String(tail)).toBe(String(atOnce.tail));
});

it("leaves a line whole that is longer than a chunk", () => {
  const long = line(chunkLimit(0) * 3);
  const { closed, tail } = cutLines(Buffer.concat([long, line(10)]), 0);
  expect(closed.map((chunk) => chunk.length)).toEqual([long.length]);
  expect(tail.length).toBe(10);
});

it("makes chunks bigger as there are more of them, and none too big for a host of git", () => {
  expect(chunkLimit(0)).toBeLessThan(chunkLimit(200));
  expect(chunkLimit(100_000)).toBe(50 * 1024 * 1024);
});
