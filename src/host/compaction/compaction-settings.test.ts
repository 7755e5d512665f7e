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

test("on any window the kept part fits beside the reserve, and settings that fit stay", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 2_000_000 }), (contextWindow) => {
      const fitted = fitToWindow(DEFAULT_COMPACTION, contextWindow);
      expect(fitted.keepRecentTokens + fitted.reserveTokens).toBeLessThan(contextWindow);
      if (contextWindow > 40_000) expect(fitted).toEqual(DEFAULT_COMPACTION);
    }),
  );
});
