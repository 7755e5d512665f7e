import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "./apply-edits.ts";

/** Parts that are unique and cannot run into each other, some of them to be replaced. */
const documents = fc
  .array(
    fc.record({
      filler: fc.string({
        unit: fc.constantFrom("x", " ", "\t", "“", "’", "é", "😀", "\r\n", "\r"),
      }),
      newText: fc.string({ unit: fc.constantFrom("n", "$", "&", "é", "“", " ") }),
      replaced: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .filter((parts) => parts.some(({ replaced }) => replaced));

test("applying edits equals splicing the text by hand, in whatever order they come", () => {
  fc.assert(
    fc.property(documents, fc.boolean(), (parts, backwards) => {
      const marks = parts.map((part, index) => ({ ...part, oldText: `<${index}>` }));
      const original = marks.map(({ oldText, filler }) => oldText + filler).join("");
      const expected = marks
        .map(({ oldText, newText, filler, replaced }) => (replaced ? newText : oldText) + filler)
        .join("");
      const edits = marks
        .filter(({ replaced }) => replaced)
        .map(({ oldText, newText }) => ({ oldText, newText }));
      expect(applyEdits(original, backwards ? edits.reverse() : edits)).toBe(expected);
    }),
  );
});

test("what looks like a replacement pattern is plain text", () => {
  expect(applyEdits("a b", [{ oldText: "a", newText: "$& $1 \\n" }])).toBe("$& $1 \\n b");
});

describe("an edit must be clear", () => {
  const original = "one\ntwo\none\naaa\n";
  test.each([
    ["one", "more than once, among others at lines 1 and 3"],
    ["aa", "more than once"],
    ["three", "oldText was not found"],
    ["two\nthree", "Something similar starts at line 2"],
    ["", "oldText is empty"],
    [" \n ", "oldText was not found"],
  ])("oldText %j", (oldText, message) => {
    expect(() => applyEdits(original, [{ oldText, newText: "new" }])).toThrow(message);
  });

  test("several edits are told apart in messages", () => {
    const edits = [
      { oldText: "two", newText: "2" },
      { oldText: "three", newText: "3" },
    ];
    expect(() => applyEdits(original, edits)).toThrow("edits[1].oldText was not found");
  });

  test("edits that overlap, change nothing or are missing are refused", () => {
    const overlap = [
      { oldText: "one\ntwo", newText: "" },
      { oldText: "two\none", newText: "" },
    ];
    expect(() => applyEdits(original, overlap)).toThrow("overlap");
    expect(() => applyEdits(original, [{ oldText: "two", newText: "two" }])).toThrow("nothing");
    expect(() => applyEdits(original, [])).toThrow("empty");
  });

  test("edits may touch", () => {
    const edits = [
      { oldText: "b", newText: "2" },
      { oldText: "a", newText: "1" },
    ];
    expect(applyEdits("ab", edits)).toBe("12");
  });
});

describe("line breaks", () => {
  test("a file with CRLF keeps them, whatever the edit uses", () => {
    const edits = [{ oldText: "one\ntwo", newText: "1\n2\n3" }];
    expect(applyEdits("one\r\ntwo\r\nend\r\n", edits)).toBe("1\r\n2\r\n3\r\nend\r\n");
    const windows = [{ oldText: "one\r\ntwo", newText: "1\r\n2" }];
    expect(applyEdits("one\ntwo\n", windows)).toBe("1\n2\n");
  });

  test("of a file with both, the lines around the edit keep theirs", () => {
    const edited = applyEdits("a\r\nb\nc\r\nd\n", [{ oldText: "c", newText: "C" }]);
    expect(edited).toBe("a\r\nb\nC\r\nd\n");
  });
});

describe("differences nobody sees", () => {
  test("spaces at the end of lines and curly quotes do not matter when nothing else matches", () => {
    expect(applyEdits("if (a) {  \n  b\t\n}\n", [{ oldText: "{\n  b\n}", newText: "{}" }])).toBe(
      "if (a) {}\n",
    );
    expect(applyEdits("say “hi”\n", [{ oldText: 'say "hi"', newText: "say hello" }])).toBe(
      "say hello\n",
    );
    expect(applyEdits("it's\n", [{ oldText: "it’s", newText: "it is" }])).toBe("it is\n");
  });

  test("the rest of the file keeps its spaces and quotes", () => {
    const edited = applyEdits("“a”  \nit’s\n“b”  \n", [{ oldText: "it's", newText: "its" }]);
    expect(edited).toBe("“a”  \nits\n“b”  \n");
  });

  test("an exact match is preferred, and two lenient ones are too many", () => {
    expect(applyEdits('“a”\n"a"\n', [{ oldText: '"a"', newText: "b" }])).toBe("“a”\nb\n");
    expect(() => applyEdits("“a”\n”a”\n", [{ oldText: '"a"', newText: "b" }])).toThrow(
      "more than once",
    );
  });

  test("other differences do matter", () => {
    expect(() => applyEdits("a - b", [{ oldText: "a – b", newText: "" }])).toThrow("not found");
    expect(() => applyEdits("  a", [{ oldText: "\ta", newText: "" }])).toThrow("not found");
  });
});

test("a long run of spaces does not slow the search down", () => {
  const original = `a${" ".repeat(200_000)}b\n“c”\n`;
  const started = performance.now();
  applyEdits(original, [{ oldText: '"c"', newText: "d" }]);
  expect(performance.now() - started).toBeLessThan(2000);
});
