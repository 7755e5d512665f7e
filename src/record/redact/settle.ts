import { askSecretlint } from "./ask-secretlint.ts";
import type { Scan } from "./scan.ts";
import { merged, type Span, spliced, withoutTokens } from "./span.ts";

export interface Settled {
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
export async function settle(
  bytes: Buffer,
  first: Scan,
  search: (bytes: Buffer) => Scan,
): Promise<Settled> {
  const kinds: string[] = [];
  let now = bytes;
  let scanned = 0;
  for (let scan = first; ; scan = search(now)) {
    if (scan !== first) scanned += now.length;
    const found = [...scan.spans, ...(await answersTo(scan))];
    const spans = found.length === 0 ? [] : withoutTokens(now.toString("latin1"), merged(found));
    if (spans.length === 0) return { bytes: now, kinds, inKeys: scan.inKeys, scanned };
    for (const { kind } of spans) kinds.push(kind);
    now = spliced(now, spans);
  }
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
