import fc from "fast-check";
import { expect, test } from "vitest";
import { getMarkdownTheme, Markdown, plainTheme } from "../../terminal/index.ts";
import { StreamingMarkdown } from "./streaming-markdown.ts";

const theme = getMarkdownTheme(plainTheme());

test("however a text arrives, it looks as if it had come at once", () => {
  const parts = fc.array(
    fc.constantFrom(
      "word ",
      "\n",
      "\n\n",
      "# Title\n",
      "- item\n",
      "  more\n",
      "```js\n",
      "```\n",
      "> quote\n",
      "1. one\n",
      "| a | b |\n|---|---|\n",
      "**bold** ",
    ),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(parts, (pieces) => {
      const streaming = new StreamingMarkdown(theme);
      let text = "";
      for (const piece of pieces) {
        text += piece;
        streaming.setText(text);
        streaming.render(30);
      }
      const whole = new Markdown(text, 0, 0, theme).render(30);
      const trimmed = (lines: string[]) => lines.map((line) => line.trimEnd());
      expect(trimmed(streaming.render(30))).toEqual(trimmed(whole));
    }),
  );
});

test("only the last block is drawn again", () => {
  let drawn = 0;
  const counting = {
    ...theme,
    heading: (text: string) => {
      drawn++;
      return text;
    },
  };
  const streaming = new StreamingMarkdown(counting);
  let text = "";
  for (let at = 0; at < 50; at++) text += `# Title ${at}\n\nSome words.\n\n`;
  streaming.setText(text);
  streaming.render(40);
  const before = drawn;
  for (const word of ["one", " two", " three"]) {
    text += word;
    streaming.setText(text);
    streaming.render(40);
  }
  expect(drawn - before).toBeLessThanOrEqual(3);
});
