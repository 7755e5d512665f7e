import type { TimelineLane, TimelineSpan, TurnTimeline } from "../../src/view/api.ts";

/** A call on the timeline, in parts of its width. */
export interface Bar {
  readonly span: TimelineSpan;
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
  readonly isSlowest: boolean;
}

export interface LaidLane {
  readonly name: string;
  readonly y: number;
  readonly height: number;
  readonly bars: readonly Bar[];
}

/** Calls of no length must still be seen and hit. */
const LEAST = 3;
const ROW = 10;
const GAP = 3;
const BETWEEN = 8;
/** More rows at once are drawn thinner. */
const MOST_HEIGHT = 46;

/** Where everything of a turn stands in a picture of this width. */
export function layOut(
  { lanes, ms, slowest }: Pick<TurnTimeline, "lanes" | "ms" | "slowest">,
  width: number,
): { readonly lanes: readonly LaidLane[]; readonly height: number } {
  const whole = Math.max(ms, 1, ...lanes.flatMap(({ spans }) => spans.map(endOf)));
  let y = 0;
  const laid = lanes.map((lane) => {
    const row = rowHeight(lane);
    const height = lane.rows * row - (row > GAP ? GAP : 0);
    const bars = lane.spans.map((span): Bar => {
      const end = span.ms === undefined ? whole : endOf(span);
      const length = Math.max(LEAST, ((end - span.from) / whole) * width);
      return {
        span,
        x: Math.min((span.from / whole) * width, width - length),
        width: Math.min(length, width),
        y: y + span.row * row,
        height: Math.max(1, row - (row > GAP ? GAP : 0)),
        isSlowest: span.key === slowest,
      };
    });
    const at = y;
    y += height + BETWEEN;
    return { name: lane.name, y: at, height, bars };
  });
  return { lanes: laid, height: Math.max(0, y - BETWEEN) };
}

function endOf(span: TimelineSpan): number {
  return span.from + (span.ms ?? 0);
}

function rowHeight({ rows }: TimelineLane): number {
  return Math.min(ROW + GAP, MOST_HEIGHT / Math.max(1, rows));
}
