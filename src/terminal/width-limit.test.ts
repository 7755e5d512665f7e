import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BorderedLoader,
  Box,
  DynamicBorder,
  defaultTheme,
  getMarkdownTheme,
  getSelectListTheme,
  getSettingsListTheme,
  Input,
  Markdown,
  plainTheme,
  SelectList,
  SettingsList,
  Text,
  TruncatedText,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from "./index.ts";

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 6 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
  fc.constantFrom(" ", "  ", "\t", "\n", "\r\n", "word", "averyveryverylongword"),
  fc.constantFrom(
    "日本語",
    "한국어",
    "👩‍👩‍👧",
    "👍🏽",
    "🇩🇪",
    "❤️",
    "1️⃣",
    "e\u0301",
    "กำ",
    "\ufe0f",
    "\u200d",
  ),
  fc.constantFrom(
    "\u001b[31m",
    "\u001b[1;48;2;1;2;3m",
    "\u001b[0m",
    "\u001b[39m",
    "\u001b[",
    "\u001b",
  ),
  fc.constantFrom("\u001b]8;;http://x.y\u0007", "\u001b]8;;\u001b\\", "\u001b_pi:c\u0007"),
  fc.constantFrom(
    "# ",
    "- ",
    "1. ",
    "> ",
    "```\n",
    "| a | b |\n|---|---|\n",
    "**",
    "_",
    "`",
    "[x](http://y)",
  ),
);
const text = fc.array(piece, { maxLength: 24 }).map((parts) => parts.join(""));
const width = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 100 }));
const theme = defaultTheme();
const inBlue = (content: string) => theme.bg("selectedBg", content);

function expectFits(lines: readonly string[], limit: number): void {
  for (const line of lines) {
    expect(visibleWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(limit);
    expect(line).not.toContain("\n");
  }
}

function checkWidth(name: string, draw: (content: string, limit: number) => string[]): void {
  test(`${name} never draws a line that is too wide`, () => {
    fc.assert(
      fc.property(text, width, (content, limit) => expectFits(draw(content, limit), limit)),
    );
  });
}

describe("components stay within the width they are given", () => {
  checkWidth("Text", (content, limit) => new Text(content).render(limit));
  checkWidth("Text with a background", (content, limit) =>
    new Text(content, 3, 1, inBlue).render(limit),
  );
  checkWidth("TruncatedText", (content, limit) => new TruncatedText(content, 1, 1).render(limit));
  checkWidth("Box", (content, limit) => {
    const box = new Box(2, 1, inBlue);
    box.addChild(new Text(content, 1, 0));
    box.addChild({ render: () => [content.replace(/[\r\n]/g, "")], invalidate: () => {} });
    return box.render(limit);
  });
  checkWidth("Markdown", (content, limit) =>
    new Markdown(content, 1, 1, getMarkdownTheme()).render(limit),
  );
  checkWidth("Markdown in colour", (content, limit) =>
    new Markdown(content, 0, 0, getMarkdownTheme(), {
      bgColor: inBlue,
      color: (part) => theme.fg("muted", part),
      italic: true,
    }).render(limit),
  );
  checkWidth("SelectList", (content, limit) => {
    const items = ["a", "b", "c"].map((value) => ({ value, label: content, description: content }));
    const list = new SelectList(items, 2, getSelectListTheme());
    list.handleInput("\u001b[B");
    return list.render(limit);
  });
  checkWidth("SettingsList", (content, limit) => {
    const items = ["a", "b"].map((id) => ({
      id,
      label: content,
      currentValue: content,
      description: content,
    }));
    const ignore = () => {};
    const options = { enableSearch: true };
    return new SettingsList(items, 1, getSettingsListTheme(), ignore, ignore, options).render(
      limit,
    );
  });
  checkWidth("Input", (content, limit) => {
    const input = new Input();
    input.focused = true;
    input.setValue(content);
    input.handleInput("\u001b[D");
    return input.render(limit);
  });
  checkWidth("DynamicBorder", (_, limit) => new DynamicBorder().render(limit));
  checkWidth("BorderedLoader", (content, limit) => {
    const loader = new BorderedLoader({ requestRender: () => {} }, plainTheme(), content);
    loader.dispose();
    return loader.render(limit);
  });
});

describe("text functions stay within the width they are given", () => {
  test("wrapTextWithAnsi", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 80 }), (content, limit) =>
        expectFits(wrapTextWithAnsi(content, limit), limit),
      ),
    );
  });

  test("truncateToWidth, with any ellipsis and padding", () => {
    const plain = text.map((content) => content.replace(/[\r\n]/g, ""));
    fc.assert(
      fc.property(plain, plain, width, fc.boolean(), (content, ellipsis, limit, pad) => {
        const line = truncateToWidth(content, limit, ellipsis, pad);
        expect(visibleWidth(line)).toBeLessThanOrEqual(limit);
        if (pad) expect(visibleWidth(line)).toBe(limit);
      }),
    );
  });
});
