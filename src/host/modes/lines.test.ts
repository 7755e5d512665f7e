import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { lines } from "./lines.ts";

async function* each<T>(chunks: readonly T[]): AsyncGenerator<T> {
  yield* chunks;
}

async function all(chunks: readonly (Buffer | string)[]): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines(each(chunks))) found.push(line);
  return found;
}

it("lines are the same however they are cut into pieces, also inside a character", async () => {
  const piece = fc.constantFrom("a", "\n", "\r", "\u2028", "ü", "日", "😀", "{}");
  const cases = fc.tuple(fc.array(piece), fc.array(fc.nat({ max: 60 })));
  await fc.assert(
    fc.asyncProperty(cases, async ([parts, cuts]) => {
      const text = parts.join("");
      const bytes = Buffer.from(text);
      const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
      at.sort((a, b) => a - b);
      const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
      const expected = text.split("\n");
      if (expected.at(-1) === "") expected.pop();
      expect(await all(chunks)).toEqual(expected);
    }),
  );
});

it("text that comes as text is taken too", async () => {
  expect(await all(["a\nb", "c\n", "d"])).toEqual(["a", "bc", "d"]);
});

it("a long line is looked through once, in however many pieces it comes", async () => {
  let looked = 0;
  const split = String.prototype.split;
  const spy = vi.spyOn(String.prototype, "split").mockImplementation(function (
    this: string,
    ...args: unknown[]
  ) {
    looked += this.length;
    return Reflect.apply(split, this, args);
  });
  onTestFinished(() => spy.mockRestore());
  const found = await all([...Array<string>(200).fill("x".repeat(100)), "\n"]);
  spy.mockRestore();
  expect(found.map(({ length }) => length)).toEqual([20_000]);
  expect(looked).toBeLessThanOrEqual(20_001);
});
