import { FORMATS } from "./formats.ts";

/** A part of a text that has to go: offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** A part of a text that could be a secret. */
export type Doubt = Omit<Span, "kind">;

/** In order and apart from each other. Where two overlap, the earlier or longer one names the kind. */
export function merged(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort(
    (a, b) => a.start - b.start || b.end - a.end || Number(isGuess(a)) - Number(isGuess(b)),
  );
  const out: Span[] = [];
  for (const span of sorted) {
    if (span.start >= span.end) continue;
    const last = out.at(-1);
    if (!last || span.start >= last.end) out.push(span);
    else if (span.end > last.end) out[out.length - 1] = { ...last, end: span.end };
  }
  return out;
}

/** Tells whether something overlaps any of these, without a look at all of them. */
export function overlapping(ranges: readonly Doubt[]): (one: Doubt) => boolean {
  const sorted = [...ranges].sort((a, b) => a.start - b.start);
  let furthest = 0;
  const ends = sorted.map(({ end }) => {
    furthest = Math.max(furthest, end);
    return furthest;
  });
  return ({ start, end }) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle]?.start ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return (ends[low - 1] ?? 0) > start;
  };
}

function isGuess({ kind }: Span): boolean {
  return kind === "random";
}

/** What was replaced before is never touched again: else a second run would change the text. */
export function withoutTokens(text: string, spans: readonly Span[]): Span[] {
  if (spans.length === 0 || !text.includes("[REDACTED:")) return [...spans];
  const tokens = [...text.matchAll(TOKEN)].map(({ index, 0: { length } }) => [
    index,
    index + length,
  ]);
  return spans.flatMap((span) => minus(span, tokens));
}

function minus(span: Span, holes: readonly (readonly number[])[]): Span[] {
  const parts: Span[] = [];
  let { start } = span;
  for (const [from = 0, to = 0] of holes) {
    if (to <= start || from >= span.end) continue;
    if (from > start) parts.push({ ...span, start, end: from });
    start = to;
  }
  if (start < span.end) parts.push({ ...span, start });
  return parts;
}

/** The text with a token for every span. The spans are merged. */
export function spliced(bytes: Buffer, spans: readonly Span[]): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, kind } of spans) {
    parts.push(bytes.subarray(from, start), Buffer.from(tokenFor(kind), "latin1"));
    from = end;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}

/** What stands where a secret was. It says the kind and nothing about the value. */
const tokenFor = (kind: string) => `[REDACTED:${kind}]`;

const OTHER_KINDS = [
  "private-key",
  "url-credentials",
  "authorization",
  "cookie",
  "credential",
  "random",
  "environment",
  "own-pattern",
  "aws-secret-key",
  "secretlint",
];

export const KINDS: readonly string[] = [
  ...new Set([...FORMATS.map(({ kind }) => kind), ...OTHER_KINDS]),
];

/** Only kinds that exist: a text in brackets that merely looks alike is searched like any other. */
const TOKEN = new RegExp(`\\[REDACTED:(?:${KINDS.join("|")})\\]`, "g");
