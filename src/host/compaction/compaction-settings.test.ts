import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_COMPACTION, fitToWindow, shouldCompact } from "./compaction-settings.ts";

test("a context is compacted when it eats into the reserve", () => {
  expect(shouldCompact(200_000 - 16_384, 200_000)).toBe(false);
  expect(shouldCompact(200_000 - 16_383, 200_000)).toBe(true);
});

test("not when it is switched off, nor when the window is not known", () => {
  expect(shouldCompact(1e9, 200_000, { ...DEFAULT_COMPACTION, enabled: false })).toBe(false);
  expect(shouldCompact(1e9, 0)).toBe(false);
  expect(fitToWindow(DEFAULT_COMPACTION, 0)).toEqual(DEFAULT_COMPACTION);
});

test("a model with a small window is not compacted from its first word on", () => {
  expect(shouldCompact(100, 8_192)).toBe(false);
  expect(shouldCompact(5_000, 8_192)).toBe(true);
});

test("on any window there is room to talk, and as much again as is kept", () => {
  const tokens = fc.integer({ min: 0, max: 500_000 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 2_000_000 }), tokens, tokens, (window, reserve, keep) => {
      const settings = { enabled: true, reserveTokens: reserve, keepRecentTokens: keep };
      const { reserveTokens, keepRecentTokens } = fitToWindow(settings, window);
      const room = window - reserveTokens;
      expect(room).toBeGreaterThanOrEqual(Math.min(16_384, Math.ceil(window / 2)));
      expect(keepRecentTokens).toBeLessThanOrEqual(room / 2);
      expect(reserveTokens).toBeLessThanOrEqual(reserve);
      expect(keepRecentTokens).toBeLessThanOrEqual(keep);
    }),
  );
});

test("what was set counts wherever it fits", () => {
  expect(fitToWindow(DEFAULT_COMPACTION, 64_000)).toEqual(DEFAULT_COMPACTION);
  const early = { enabled: true, reserveTokens: 100_000, keepRecentTokens: 5_000 };
  expect(fitToWindow(early, 128_000)).toEqual(early);
});

test.each([16_385, 18_000, 20_000, 32_768])(
  "a window of %i is not full from the start",
  (window) => {
    expect(shouldCompact(4_000, window)).toBe(false);
    expect(shouldCompact(window - 4_000, window)).toBe(true);
  },
);
