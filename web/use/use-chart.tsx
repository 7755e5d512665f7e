import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { StatsRow } from "../../src/search/index.ts";
import { money, short } from "../parts/format.ts";
import { layOut } from "./chart-layout.ts";

const HEIGHT = 180;
const LEFT = 56;
const BOTTOM = 22;

export type Measure = "cost" | "tokens";

const PARTS = [
  ["cacheRead", "cached, read"],
  ["cacheWrite", "cached, written"],
  ["input", "input"],
  ["output", "output"],
] as const;

/** Columns over time; the table beside it has the same numbers. */
export function UseChart({ rows, measure }: { rows: readonly StatsRow[]; measure: Measure }) {
  const columns = rows.map((row) => ({
    label: shortDay(row.key),
    parts: measure === "cost" ? [row.cost ?? 0] : PARTS.map(([name]) => row[name]),
  }));
  const [place, width] = useWidth();
  const chart = layOut(columns, width - LEFT, HEIGHT);
  const said = (value: number) => (measure === "cost" ? money(value) : short(value));
  return (
    <figure class="chart" ref={place}>
      <svg
        viewBox={`0 -8 ${width} ${HEIGHT + BOTTOM + 8}`}
        role="img"
        aria-label={`${measure} by day`}
      >
        {chart.lines.map(({ y, value }) => (
          <g key={value}>
            <line x1={LEFT} x2={width} y1={y} y2={y} />
            <text class="value" x={LEFT - 8} y={y + 4}>
              {said(value)}
            </text>
          </g>
        ))}
        {chart.columns.map(({ label, x, width: wide, parts }, n) => (
          <g key={rows[n]?.key ?? label}>
            <title>{`${rows[n]?.key}: ${said(columns[n]?.parts.reduce((a, b) => a + b, 0) ?? 0)}`}</title>
            <rect class="hover" x={LEFT + x} y={0} width={wide} height={HEIGHT} />
            {parts.map(({ y, height }, part) => (
              <rect
                key={PARTS[part]?.[0]}
                class={measure === "cost" ? "part-cost" : `part-${PARTS[part]?.[0]}`}
                x={LEFT + x}
                y={y}
                width={wide}
                height={height}
              />
            ))}
            {chart.labelled.includes(n) && (
              <text class="label" x={Math.min(LEFT + x + wide / 2, width - 22)} y={HEIGHT + 16}>
                {label}
              </text>
            )}
          </g>
        ))}
      </svg>
      {measure === "tokens" && (
        <figcaption class="legend">
          {PARTS.map(([name, label]) => (
            <span key={name}>
              <i class={`part-${name}`} aria-hidden="true" />
              {label}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

/** How wide the chart is on this screen: its letters keep their size. */
function useWidth(): [RefObject<HTMLElement | null>, number] {
  const place = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(720);
  useLayoutEffect(() => {
    const chart = place.current;
    if (!chart) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, chart.clientWidth)));
    observer.observe(chart);
    return () => observer.disconnect();
  }, []);
  return [place, width];
}

/** "2026-11-17" as "17 Nov"; anything else as it is. */
function shortDay(key: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(key)) return key;
  const date = new Date(`${key}T12:00:00Z`);
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}
