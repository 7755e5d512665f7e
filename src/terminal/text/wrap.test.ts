import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitEscapes } from "./escapes.ts";
import { wrapTextWithAnsi } from "./wrap.ts";

const RED = "\u001b[31m";
const OFF = "\u001b[39m";

describe("wrapTextWithAnsi", () => {
  test("lines break between words", () => {
    expect(wrapTextWithAnsi("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
  });

  test("a word longer than a line is broken inside", () => {
    expect(wrapTextWithAnsi("a longword b", 4)).toEqual(["a", "long", "word", "b"]);
  });

  test("line breaks of the text are kept, empty lines too", () => {
    expect(wrapTextWithAnsi("a\n\nb\r\nc", 10)).toEqual(["a", "", "b", "c"]);
    expect(wrapTextWithAnsi("", 10)).toEqual([""]);
  });

  test("indentation is kept, unless a word would have to be cut for it", () => {
    expect(wrapTextWithAnsi("  ab cd", 5)).toEqual(["  ab", "cd"]);
    expect(wrapTextWithAnsi("  abcd", 5)).toEqual(["abcd"]);
  });

  test("a style goes on behind a break", () => {
    expect(wrapTextWithAnsi(`${RED}one two${OFF} three`, 5)).toEqual([
      `${RED}one${OFF}`,
      `${RED}two${OFF}`,
      "three",
    ]);
  });

  test("a style goes on in the next line of the text", () => {
    expect(wrapTextWithAnsi(`${RED}a\nb`, 5)).toEqual([`${RED}a${OFF}`, `${RED}b${OFF}`]);
  });

  test("a link goes on behind a break", () => {
    const open = "\u001b]8;;http://x.y\u0007";
    const close = "\u001b]8;;\u001b\\";
    expect(wrapTextWithAnsi(`${open}one two${close}`, 3)).toEqual([
      `${open}one${close}`,
      `${open}two${close}`,
    ]);
  });

  test("a line that ends in a style does not switch off a background put around it", () => {
    expect(wrapTextWithAnsi("\u001b[1;31mone two", 3)[0]).toBe("\u001b[1;31mone\u001b[22;39m");
  });

  test("at no width there is one empty line", () => {
    expect(wrapTextWithAnsi("anything", 0)).toEqual([""]);
  });

  test("nothing but spaces gets lost", () => {
    const words = fc.array(
      fc.oneof(
        fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
        fc.constantFrom("日本語", "👍🏽", "e\u0301", RED, OFF),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 30 }), (parts, width) => {
        const text = parts.join(" ");
        expect(bare(wrapTextWithAnsi(text, width).join(""))).toBe(bare(text));
      }),
    );
  });
});

function bare(text: string): string {
  const visible = splitEscapes(text).filter(({ kind }) => kind === "text");
  return visible.map((piece) => piece.text.replaceAll(" ", "")).join("");
}
