import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatSize } from "./format-size.ts";
import { truncateHead, truncateLine, truncateTail } from "./truncate.ts";

const text = fc
  .array(fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", " ", "\n", "\r") }))
  .map((parts) => parts.join("\n"));
const limits = fc.record({
  maxLines: fc.integer({ min: 1, max: 12 }),
  maxBytes: fc.integer({ min: 1, max: 60 }),
});

describe.each([
  ["truncateHead", truncateHead],
  ["truncateTail", truncateTail],
])("%s", (_name, truncate) => {
  test("never returns more than the limits", () => {
    fc.assert(
      fc.property(text, limits, (content, { maxLines, maxBytes }) => {
        const result = truncate(content, { maxLines, maxBytes });
        expect(Buffer.byteLength(result.content)).toBeLessThanOrEqual(maxBytes);
        expect(result.content.split("\n").length).toBeLessThanOrEqual(maxLines);
        expect(result.outputBytes).toBe(Buffer.byteLength(result.content));
      }),
    );
  });

  test("leaves what fits untouched, and says so", () => {
    fc.assert(
      fc.property(text, limits, (content, options) => {
        const fits =
          content.split("\n").length <= options.maxLines &&
          Buffer.byteLength(content) <= options.maxBytes;
        const result = truncate(content, options);
        expect(result.truncated).toBe(!fits);
        expect(result.truncatedBy === null).toBe(fits);
        expect(result.content === content).toBe(fits);
        expect(result.totalLines).toBe(content.split("\n").length);
      }),
    );
  });

  test("never splits a character", () => {
    fc.assert(
      fc.property(text, limits, (content, options) => {
        expect(truncate(content, options).content).not.toContain("\uFFFD");
      }),
    );
  });
});

test("truncateHead keeps whole lines from the start, as many as fit", () => {
  fc.assert(
    fc.property(text, limits, (content, options) => {
      const result = truncateHead(content, options);
      const lines = content.split("\n");
      const kept = lines.slice(0, result.outputLines);
      expect(result.content).toBe(kept.join("\n"));
      const oneMore = lines.slice(0, result.outputLines + 1).join("\n");
      const hasRoom =
        result.outputLines < options.maxLines && Buffer.byteLength(oneMore) <= options.maxBytes;
      expect(result.truncated && hasRoom).toBe(false);
    }),
  );
});

test("truncateTail keeps whole lines from the end, or the end of a last line that is too long", () => {
  fc.assert(
    fc.property(text, limits, (content, options) => {
      const result = truncateTail(content, options);
      const lines = content.split("\n");
      if (result.lastLinePartial) {
        expect(lines.at(-1)?.endsWith(result.content)).toBe(true);
        expect(result.outputLines).toBe(1);
      } else {
        expect(result.content).toBe(lines.slice(lines.length - result.outputLines).join("\n"));
      }
    }),
  );
});

test("truncateHead returns nothing when the first line alone is too long", () => {
  const result = truncateHead("x".repeat(11), { maxBytes: 10 });
  expect(result).toMatchObject({ content: "", firstLineExceedsLimit: true, truncatedBy: "bytes" });
});

test("the defaults are 2000 lines and 50 KB", () => {
  expect(truncateHead("x\n".repeat(3000)).outputLines).toBe(2000);
  expect(truncateTail(`${"x".repeat(99)}\n`.repeat(1999)).outputBytes).toBeLessThanOrEqual(51200);
});

test("truncateLine marks what it cuts and does not cut a character in two", () => {
  expect(truncateLine("short")).toEqual({ text: "short", wasTruncated: false });
  expect(truncateLine("x".repeat(501)).text).toBe(`${"x".repeat(500)}... [truncated]`);
  expect(truncateLine("ab😀", 3).text).toBe("ab... [truncated]");
});

test("sizes are written the way people write them", () => {
  expect([0, 1023, 1024, 51200, 1024 * 1024 * 1.25].map(formatSize)).toEqual([
    "0B",
    "1023B",
    "1.0KB",
    "50.0KB",
    "1.3MB",
  ]);
});
