import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getMarkdownTheme } from "../component-themes.ts";
import { plainTheme } from "../theme/theme.ts";
import { Markdown } from "./markdown.ts";
import type { MarkdownTheme } from "./markdown-theme.ts";

/** Shows styles as tags, so that a test can read them. */
const tags: MarkdownTheme = {
  ...getMarkdownTheme(plainTheme()),
  heading: (text) => `<h>${text}</h>`,
  bold: (text) => `<b>${text}</b>`,
  italic: (text) => `<i>${text}</i>`,
  strikethrough: (text) => `<s>${text}</s>`,
  code: (text) => `<c>${text}</c>`,
};

function draw(source: string, width = 40, theme = getMarkdownTheme(plainTheme())): string[] {
  return new Markdown(source, 0, 0, theme).render(width).map((line) => line.trimEnd());
}

const inline = (source: string) => draw(source, 200, tags).join("\n");

describe("inline Markdown", () => {
  test.each([
    ["a **b** c", "a <b>b</b> c"],
    ["*i* and _j_", "<i>i</i> and <i>j</i>"],
    ["***both***", "<b><i>both</i></b>"],
    ["**a *b***", "<b>a </b><b><i>b</i></b>"],
    ["~~gone~~", "<s>gone</s>"],
    ["`code *x*`", "<c>code *x*</c>"],
    ["`` a`b ``", "<c>a`b</c>"],
    ["snake_case_name", "snake_case_name"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["**open", "**open"],
    ["\\*no\\*", "*no*"],
    ["[text](http://x.y)", "text (http://x.y)"],
    ["[http://x.y](http://x.y)", "http://x.y"],
    ["![alt](pic.png)", "alt"],
    ["<http://x.y>", "http://x.y"],
    ["see http://x.y/a_b_c.", "see http://x.y/a_b_c."],
  ])("%s", (source, expected) => {
    expect(inline(source)).toBe(expected);
  });

  test("the style of a heading goes on behind code in it", () => {
    expect(inline("## a `b` c")).toBe("<h><b>a </b></h><h><b><c>b</c></b></h><h><b> c</b></h>");
  });
});

describe("blocks", () => {
  test("paragraphs are wrapped, and stand apart", () => {
    expect(draw("one two three\n\nfour", 8)).toEqual(["one two", "three", "", "four"]);
  });

  test("deep headings keep their signs", () => {
    expect(draw("# A\n### B ###")).toEqual(["A", "", "### B"]);
  });

  test("lists are numbered, nested and wrapped under their text", () => {
    expect(draw("Intro\n- one two three\n  - inner\n- [x] done\n\n3. c\n4. d", 11)).toEqual([
      "Intro",
      "- one two",
      "  three",
      "    - inner",
      "- [x] done",
      "",
      "3. c",
      "4. d",
    ]);
  });

  test("code keeps its lines, also if its fence is never closed", () => {
    expect(draw("```ts\nlet a;\n\n  b *c*\n```")).toEqual([
      "```ts",
      "  let a;",
      "",
      "    b *c*",
      "```",
    ]);
    expect(draw("```\nhalf")).toEqual(["```", "  half", "```"]);
  });

  test("a theme may colour code by its language", () => {
    const theme = { ...tags, highlightCode: (code: string, lang?: string) => [`${lang}:${code}`] };
    expect(draw("```js\nx\n```", 40, theme)).toContain("  js:x");
  });

  test("quotes have a line at their side, around all that is in them", () => {
    expect(draw("> a\nlazy\n> - b\n\nafter")).toEqual(["│ a", "│ lazy", "│ - b", "", "after"]);
  });

  test("tables have a frame, and their cells are wrapped", () => {
    expect(draw("| a | b |\n|---|:-:|\n| 1 | two words |\n| x |", 14)).toEqual([
      "┌───┬────────┐",
      "│ a │ b      │",
      "├───┼────────┤",
      "│ 1 │ two    │",
      "│   │ words  │",
      "├───┼────────┤",
      "│ x │        │",
      "└───┴────────┘",
    ]);
  });

  test("a table too narrow for columns becomes text", () => {
    expect(draw("| a | b |\n|---|---|\n| 1 | 2 |", 8)).toEqual(["a | b", "1 | 2"]);
  });

  test("a rule is as wide as the text", () => {
    expect(draw("a\n\n---", 5)).toEqual(["a", "", "─────"]);
  });

  test("no text takes no lines", () => {
    expect(draw(" \n\n")).toEqual([]);
  });
});

test("text without a style of its own gets the default one", () => {
  const style = { color: (text: string) => `{${text}}`, bold: true };
  const lines = new Markdown("a `b`", 0, 0, tags, style).render(40);
  expect(lines[0]?.trimEnd()).toBe("{<b>a </b>}{<b><c>b</c></b>}");
});

test("text that is set later is drawn", () => {
  const markdown = new Markdown("a", 0, 0, tags);
  markdown.render(3);
  markdown.setText("b");
  expect(markdown.render(3)).toEqual(["b  "]);
});

// Work that grows with the third power of the depth, or faster, would not end within any timeout.
test("hostile nesting does not hang the drawing", () => {
  const nested = [">".repeat(5000), "- ".repeat(5000), "*a ".repeat(5000), "[".repeat(5000)];
  for (const source of nested) expect(draw(source, 40).length).toBeGreaterThan(0);
});

test("every text is drawn, word by word", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 20 }), (words) => {
      expect(draw(words.join(" "), 20).join(" ").split(/\s+/).filter(Boolean)).toEqual(words);
    }),
  );
});
