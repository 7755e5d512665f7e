import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOut, roundUp, withEmptyDays } from "./chart-layout.ts";

describe("a chart", () => {
  it("has columns that stand on the ground and fit under the highest line", () => {
    const columns = fc.array(
      fc.record({ label: fc.string(), parts: fc.array(fc.nat(1e9), { maxLength: 4 }) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(columns, (given) => {
        const { columns: laid } = layOut(given, 600, 200);
        for (const { x, width, parts } of laid) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(600.001);
          let ground = 200;
          for (const { y, height } of parts) {
            expect(y + height).toBeCloseTo(ground, 6);
            expect(y).toBeGreaterThanOrEqual(-0.001);
            ground = y;
          }
        }
      }),
    );
  });

  it("has lines at numbers that are easy to read", () => {
    expect([0, 1, 3961, 412_880, 500, 700].map(roundUp)).toEqual([0, 1, 4000, 500_000, 500, 800]);
  });

  it("writes only as many labels as there is room for", () => {
    const many = Array.from({ length: 90 }, (_, n) => ({ label: `${n}`, parts: [1] }));
    expect(layOut(many, 640, 100).labelled.length).toBeLessThanOrEqual(10);
  });
});

it("shows days without any use, so that time is not squeezed", () => {
  const rows = [{ key: "2026-02-27" }, { key: "2026-03-02" }];
  expect(withEmptyDays(rows, (key) => ({ key })).map(({ key }) => key)).toEqual([
    "2026-02-27",
    "2026-02-28",
    "2026-03-01",
    "2026-03-02",
  ]);
  const models = [{ key: "sonnet" }, { key: "opus" }];
  expect(withEmptyDays(models, (key) => ({ key }))).toEqual(models);
});
