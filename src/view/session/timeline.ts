import type { EntryUsage } from "../../agents/index.ts";
import { addTokens, noTokens, type TokenUsage } from "../../events/index.ts";
import type { SessionHead, TimelineLane, TimelineSpan, TurnTimeline } from "../api.ts";
import { keyOf } from "./piece-key.ts";
import { CostSum } from "./session-facts.ts";
import type { PiecesPage } from "./source.ts";
import { type Around, callOf } from "./to-entries.ts";

const MOST_SPANS = 2_000;

/** What happened in a turn and when: one lane for each kind of call, one row for what overlaps. */
export function timelineOf(page: PiecesPage, around: Around): Omit<TurnTimeline, "turn"> {
  const own = page.pieces.filter(({ child }) => child === undefined);
  const times = own
    .flatMap(({ at }) => (at === undefined ? [] : [Date.parse(at)]))
    .filter(Number.isFinite);
  const start = times[0] ?? 0;
  const lanes = new Map<string, TimelineSpan[]>();
  const files = new Map<string, { added: number; removed: number }>();
  let end = times.at(-1) ?? start;
  let slowest: TimelineSpan | undefined;
  for (const piece of own) {
    if (piece.kind !== "call") continue;
    const result = page.results.get(piece.entry.tool?.callId ?? "");
    const call = callOf(piece, result, around);
    if (result?.at !== undefined) end = Math.max(end, Date.parse(result.at) || 0);
    if (call.state === "done") {
      for (const path of call.files ?? []) {
        const { added, removed } = files.get(path) ?? { added: 0, removed: 0 };
        files.set(path, {
          added: added + (call.added ?? 0),
          removed: removed + (call.removed ?? 0),
        });
      }
    }
    const from = piece.at === undefined ? Number.NaN : Date.parse(piece.at) - start;
    const lane = call.state === "stopped" && call.stop ? "stopped" : call.tool || "other";
    const spans = lanes.get(lane) ?? [];
    if (!(from >= 0) || spans.length >= MOST_SPANS) continue;
    const span = {
      key: keyOf(piece),
      from,
      row: rowFor(spans, from),
      state: call.state,
      ...(call.ms !== undefined && { ms: call.ms }),
      ...(call.about !== undefined && { about: call.about.slice(0, 120) }),
    };
    lanes.set(lane, [...spans, span]);
    if (span.ms !== undefined && span.ms > (slowest?.ms ?? 0)) slowest = span;
  }
  const prompt = own.find(({ kind }) => kind === "prompt");
  const usage = usageOf(page.usages ?? []);
  const cost = new CostSum();
  for (const { model, ...used } of page.usages ?? []) cost.put(model, used);
  return {
    ...(prompt?.kind === "prompt" && {
      prompt: {
        key: keyOf(prompt),
        text: prompt.text.slice(0, 200),
        ...(prompt.at !== undefined && { at: prompt.at }),
      },
    }),
    ...(times.length > 0 && {
      startedAt: new Date(start).toISOString(),
      endedAt: new Date(end).toISOString(),
    }),
    ms: Math.max(0, end - start),
    lanes: [...lanes].map(([name, spans]) => laneOf(name, spans)),
    ...(slowest && { slowest: slowest.key }),
    ...(usage && { usage }),
    ...(cost.sum !== undefined && { cost: cost.sum }),
    files: [...files].map(([path, counts]): SessionHead["files"][number] => ({ path, ...counts })),
  };
}

/** The first row in which nothing is under way at that moment. */
function rowFor(spans: readonly TimelineSpan[], from: number): number {
  for (let row = 0; ; row++) {
    const isBusy = spans.some(
      (span) => span.row === row && span.from + (span.ms ?? Number.POSITIVE_INFINITY) > from,
    );
    if (!isBusy) return row;
  }
}

function laneOf(name: string, spans: readonly TimelineSpan[]): TimelineLane {
  return { name, spans, rows: Math.max(...spans.map(({ row }) => row)) + 1 };
}

/** Of the calls of the model: those with one key are one, and the last one counts. */
function usageOf(usages: readonly EntryUsage[]): TokenUsage | undefined {
  const calls = new Map(usages.map(({ key, tokens }) => [key, tokens]));
  return calls.size === 0 ? undefined : [...calls.values()].reduce(addTokens, noTokens());
}
