import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitEscapes } from "./escapes.ts";
import { graphemes } from "./graphemes.ts";
import { StyleState } from "./style-state.ts";
import { fitLine, truncateToWidth } from "./truncate.ts";

const RED = "\u001b[31m";
const LINK = "\u001b]8;;http://x.y\u0007";

describe("truncateToWidth", () => {
  test("text that fits is returned as it is", () => {
    expect(truncateToWidth("hello", 5)).toBe("hello");
    expect(truncateToWidth(`${RED}hello`, 5)).toBe(`${RED}hello`);
  });

  test("text that does not fit ends in the ellipsis", () => {
    expect(truncateToWidth("hello world", 8)).toBe("hello...");
    expect(truncateToWidth("hello world", 8, "…")).toBe("hello w…");
    expect(truncateToWidth("hello world", 8, "")).toBe("hello wo");
  });

  test("an ellipsis that does not fit is cut too", () => {
    expect(truncateToWidth("hello", 2)).toBe("..");
  });

  test("padding fills up to the width, also where a wide character did not fit", () => {
    expect(truncateToWidth("ab", 4, "...", true)).toBe("ab  ");
    expect(truncateToWidth("日本語", 4, "…", true)).toBe("日… ");
  });

  test("styles and links that are open at the cut are closed before the ellipsis", () => {
    expect(truncateToWidth(`${RED}hello world`, 6, "…")).toBe(`${RED}hello\u001b[39m…`);
    expect(truncateToWidth(`${LINK}hello world`, 6, "…")).toBe(`${LINK}hello\u001b]8;;\u001b\\…`);
  });

  test("a tab is drawn as spaces", () => {
    expect(truncateToWidth("a\tb", 10)).toBe("a   b");
  });

  test("half an escape sequence can not swallow the padding", () => {
    expect(fitLine("a\u001b[", 4)).toBe("a[  ");
  });

  test("there is nothing at no width", () => {
    expect(truncateToWidth("hello", 0)).toBe("");
    expect(truncateToWidth("hello", -3, "...", true)).toBe("");
    expect(truncateToWidth("hello", Number.NaN)).toBe("");
  });

  test("no grapheme is cut, and a cut line leaves no style open", () => {
    const part = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 3 }),
      fc.constantFrom(RED, "\u001b[1m", "\u001b[48;5;3m", "\u001b[0m", LINK, "👩‍👩‍👧", "日"),
    );
    const line = fc.array(part, { maxLength: 15 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 20 }), (text, width) => {
        const cut = truncateToWidth(text, width, "");
        if (cut === text) return;
        const styles = new StyleState();
        for (const { kind, text: code } of splitEscapes(cut)) {
          if (kind === "escape") styles.apply(code);
        }
        expect(styles.open()).toBe("");
        const whole = characters(text);
        const kept = characters(cut);
        expect(whole.slice(0, kept.length)).toEqual(kept);
      }),
    );
  });
});

function characters(text: string): string[] {
  return splitEscapes(text)
    .filter(({ kind }) => kind === "text")
    .flatMap((piece) => graphemes(piece.text));
}
