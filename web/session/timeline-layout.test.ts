import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TimelineLane } from "../../src/view/api.ts";
import { layOut } from "./timeline-layout.ts";

const lane = (name: string, rows: number, spans: TimelineLane["spans"]): TimelineLane => ({
  name,
  rows,
  spans,
});
const span = (key: string, from: number, ms: number | undefined, row = 0) => ({
  key,
  from,
  row,
  state: "done" as const,
  ...(ms === undefined ? {} : { ms }),
});

describe("the timeline of a turn", () => {
  it("puts calls where they were in time, and parallel ones under each other", () => {
    const { lanes } = layOut(
      {
        ms: 1000,
        slowest: "b",
        lanes: [lane("bash", 2, [span("a", 0, 500), span("b", 250, 750, 1)])],
      },
      200,
    );
    const [first, second] = lanes[0]?.bars ?? [];
    expect(first).toMatchObject({ x: 0, width: 100, isSlowest: false });
    expect(second).toMatchObject({ x: 50, width: 150, isSlowest: true });
    expect(second?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0));
  });

  it("draws what still runs up to the end", () => {
    const { lanes } = layOut(
      { ms: 1000, lanes: [lane("bash", 1, [span("a", 600, undefined)])] },
      100,
    );
    expect(lanes[0]?.bars[0]).toMatchObject({ x: 60, width: 40 });
  });

  it("keeps every bar visible and inside the picture, and lanes apart", () => {
    const spans = fc.array(
      fc.record({
        from: fc.nat(5000),
        ms: fc.option(fc.nat(5000), { nil: undefined }),
        row: fc.nat(9),
      }),
    );
    fc.assert(
      fc.property(fc.array(spans, { maxLength: 6 }), fc.nat(4000), (all, ms) => {
        const lanes = all.map((one, n) =>
          lane(
            `${n}`,
            10,
            one.map(({ from, ms: long, row }, at) => span(`${at}`, from, long, row)),
          ),
        );
        const laid = layOut({ ms, lanes }, 220);
        for (const [n, { bars, y, height }] of laid.lanes.entries()) {
          for (const bar of bars) {
            expect(bar.width).toBeGreaterThanOrEqual(3);
            expect(bar.x).toBeGreaterThanOrEqual(0);
            expect(bar.x + bar.width).toBeLessThanOrEqual(220.001);
            expect(bar.y + bar.height).toBeLessThanOrEqual(y + height + 1.001);
          }
          const next = laid.lanes[n + 1];
          if (next) expect(next.y).toBeGreaterThan(y + height);
        }
      }),
    );
  });
});
