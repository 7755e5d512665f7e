import { askSecretlint } from "./ask-secretlint.ts";
import type { Scan } from "./scan.ts";
import { merged, type Span, spliced, withoutTokens } from "./span.ts";

const LONGEST_TOKEN = 64;

export interface Clean {
  readonly bytes: Buffer;
  /** One for every place that was replaced. */
  readonly kinds: readonly string[];
  readonly inKeys: readonly string[];
  readonly scanned: number;
}

/**
 * Replaces what the search finds, and searches again until it finds nothing: what stood beside a
 * secret may look different without it. Replaced text is never found, so this ends.
 */
export async function redactUntilClean(
  bytes: Buffer,
  first: Scan,
  search: (bytes: Buffer) => Scan,
): Promise<Clean> {
  const kinds: string[] = [];
  let now = bytes;
  let scanned = 0;
  for (let scan = first; ; scan = search(now)) {
    if (scan !== first) scanned += now.length;
    const found = [...scan.spans, ...(await answersTo(scan))];
    const spans = merged(found).flatMap((span) => outsideTokens(now, span));
    if (spans.length === 0) return { bytes: now, kinds, inKeys: scan.inKeys, scanned };
    for (const { kind } of spans) kinds.push(kind);
    now = spliced(now, spans);
  }
}

/** A token is short: only what stands around the span can reach into it. */
function outsideTokens(bytes: Buffer, { start, end, kind }: Span): Span[] {
  const from = Math.max(0, start - LONGEST_TOKEN);
  const around = bytes.toString("latin1", from, end + LONGEST_TOKEN);
  const span = { start: start - from, end: end - from, kind };
  return withoutTokens(around, [span]).map((part) => ({
    start: part.start + from,
    end: part.end + from,
    kind,
  }));
}

async function answersTo({ questions }: Scan): Promise<Span[]> {
  const spans: Span[] = [];
  for (const { text, place } of questions) {
    for (const { start, end, kind } of await askSecretlint(text)) {
      const span = place(start, end, kind);
      if (span) spans.push(span);
    }
  }
  return spans;
}
