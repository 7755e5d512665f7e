import type { TimelineSpan, TurnTimeline } from "../../src/view/api.ts";
import { duration } from "../parts/format.ts";
import { wanted } from "./reading-position.ts";
import { layOut } from "./timeline-layout.ts";

const LABELS = 66;
const WIDTH = 280;

/** A turn as lanes: what ran when, what ran at once, and what took longest. */
export function Timeline({ turn }: { turn: TurnTimeline }) {
  const { lanes, height } = layOut(turn, WIDTH - LABELS);
  const slowest = turn.lanes
    .flatMap(({ name, spans }) => spans.map((span) => ({ name, span })))
    .find(({ span }) => span.key === turn.slowest);
  return (
    <figure class="timeline">
      <svg viewBox={`0 -1 ${WIDTH} ${height + 2}`}>
        <title>Timeline of the turn</title>
        <defs>
          <pattern
            id="waits"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="3" height="6" />
          </pattern>
        </defs>
        {lanes.map((lane) => (
          <g key={lane.name}>
            <text x="0" y={lane.y + 9}>
              {lane.name.length > 9 ? `${lane.name.slice(0, 8)}…` : lane.name}
            </text>
            <rect
              class="lane"
              x={LABELS}
              y={lane.y}
              width={WIDTH - LABELS}
              height={lane.height}
              rx="2"
            />
            {lane.bars.map((bar) => (
              // biome-ignore lint/a11y/useSemanticElements: a picture has no buttons of its own.
              <rect
                key={bar.span.key}
                class={`bar ${bar.span.state}`}
                x={LABELS + bar.x}
                y={bar.y}
                width={bar.width}
                height={bar.height}
                rx="2"
                role="button"
                tabIndex={0}
                aria-label={said(lane.name, bar.span)}
                onClick={() => show(bar.span)}
                onKeyDown={(event) => {
                  if (event.key === "Enter") show(bar.span);
                }}
              >
                <title>{said(lane.name, bar.span)}</title>
              </rect>
            ))}
          </g>
        ))}
      </svg>
      <figcaption>
        {duration(turn.ms)}
        {slowest?.span.ms !== undefined && (
          <>
            {" · slowest: "}
            <button type="button" class="text" onClick={() => show(slowest.span)}>
              {slowest.name} {duration(slowest.span.ms)}
            </button>
          </>
        )}
      </figcaption>
    </figure>
  );
}

function show(span: TimelineSpan): void {
  wanted.value = span.key;
}

function said(name: string, span: TimelineSpan): string {
  const about = span.about ? ` ${span.about}` : "";
  const state = span.state === "done" ? "" : `, ${span.state}`;
  return `${name}${about}${span.ms === undefined ? "" : `, ${duration(span.ms)}`}${state}`;
}
