import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { folded, GramWriter, gramsSought } from "./grams.ts";
import { expressionOf, termsOf } from "./query.ts";
import { snippetOf } from "./snippet.ts";
import { indexedWords, soughtWords } from "./words.ts";

describe("words", () => {
  it.each([
    ["getUserName", "getUserName\nget user name"],
    ["HTTPServer2", "HTTPServer2\nhttp server"],
    ["snake_case stays", "snake_case stays"],
    ["悬空", " 悬空 空 "],
    ["itgc悬空指针x", "itgc 悬空 空指 指针 针 x"],
    ["ok 👍", "ok  emoji1f44d "],
  ])("of %j", (text, expected) => {
    expect(indexedWords(text)).toBe(expected);
  });

  it("a run that is looked for may go on in the text", () => {
    expect(soughtWords("空指").trim()).toBe("空指");
    expect(soughtWords("修复 bug").trim().split(/\s+/)).toEqual(["修复", "复", "bug"]);
  });

  it("of a word of a megabyte take no longer than its length", () => {
    expect(indexedWords("aB".repeat(500_000)).length).toBe(1_000_000);
  });
});

describe("queries", () => {
  it.each([
    ['say "two words" x* xyz*', ['"say"', '"two words"', '"x"', '"xyz" *']],
    [
      'a AND b OR NOT (c) NEAR col:x ^y -z "',
      ['"a"', '"AND"', '"b"', '"OR"', '"NOT"', '"(c)"', '"NEAR"', '"col:x"', '"^y"', '"-z"'],
    ],
    ["{} -- ** *", []],
    ["字", ['" 字 " *']],
  ])("%j is %j", (query, expected) => {
    expect(termsOf(query).map(expressionOf)).toEqual(expected);
  });

  it("of any text are no more than some terms, all of them quoted", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const all = termsOf(text).map(expressionOf);
        expect(all.length).toBeLessThanOrEqual(32);
        for (const one of all) expect(one).toMatch(/^"(?:[^"]|"")*"(?: \*)?$/s);
      }),
      runs(500),
    );
  });
});

describe("trigrams", () => {
  it("of a part are among those of the whole", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary", minLength: 3 }),
        fc.string({ unit: "binary" }),
        (before, part, after) => {
          // Where letters meet, some change in lower case.
          const whole = before + part + after;
          fc.pre(folded(whole).includes(folded(part)));
          const writer = new GramWriter();
          writer.add(whole);
          const all = new Set(writer.take().trimEnd().split(" "));
          const sought = gramsSought(part);
          for (const gram of sought?.match(/[a-z2-7]{4}/g) ?? []) expect(all.has(gram)).toBe(true);
        },
      ),
      runs(500),
    );
  });

  it("of one text are not those of the next", () => {
    const writer = new GramWriter();
    writer.add("abc");
    const first = writer.take();
    writer.add("abc");
    expect(writer.take()).toBe(first);
    expect(gramsSought("ab")).toBeUndefined();
  });
});

describe("snippets", () => {
  it("show where a hit is, in one line", () => {
    const text = `${"before ".repeat(40)}\n\tthe Walrus\nsits ${"after ".repeat(40)}`;
    const { text: shown, hits } = snippetOf(text, ["walrus"], 100);
    expect(shown).toMatch(/^….*the Walrus sits.*…$/);
    expect(hits.map(([start, end]) => shown.slice(start, end))).toEqual(["Walrus"]);
  });

  it("of anything are short, and their hits lie in them", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
        (text, sought) => {
          const { text: shown, hits } = snippetOf(text, sought, 60);
          expect(shown.length).toBeLessThanOrEqual(62);
          for (const [start, end] of hits) expect(start < end && end <= shown.length).toBe(true);
        },
      ),
      runs(500),
    );
  });
});
