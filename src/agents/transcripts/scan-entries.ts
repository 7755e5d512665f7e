import type { TranscriptEntry } from "./entry.ts";
import { FactsCollector } from "./facts.ts";
import type { TranscriptFormat } from "./format.ts";
import { type KnownOptions, nothingRead, type Scan } from "./scan-result.ts";
import { newScanState } from "./scan-state.ts";

/**
 * The same for transcripts that are a database or one document: messages are counted instead of
 * lines. A message the agent still works on is left for the next scan.
 */
export async function scanEntries(
  format: TranscriptFormat,
  ref: string,
  options: KnownOptions,
): Promise<Scan> {
  const {
    known,
    isLost,
    skip = 0,
    end = Number.POSITIVE_INFINITY,
    want = "all",
    ownChild = false,
    since,
    call,
    time,
    isOver = false,
  } = options;
  try {
    return await scanFrom(known?.position ?? 0, known);
  } catch (error) {
    return nothingRead(format, known, error);
  }

  async function scanFrom(start: number, state: typeof known): Promise<Scan> {
    const collector = new FactsCollector(format.unit, {
      state,
      ownChild,
      since,
      call,
      time,
      onlyTokens: want === "tokens",
    });
    let position = start;
    let messages = 0;
    // One before the start is asked for: if it is gone, messages were taken away.
    const asked = Math.max(0, start - 1);
    let isThere = start === 0;
    for await (const located of format.entries?.(ref, asked) ?? []) {
      if (located.position < start) {
        isThere = true;
        continue;
      }
      if (located.open && !isOver) {
        // A commit that is being made ends with the call that makes it, which is not over yet.
        collector.noteCall(located.entry, located.position);
        continue;
      }
      // A part whose end only the next line shows had ended before that line.
      if (located.position >= end && !(located.position === end && located.entry.endsBefore)) break;
      if (located.position >= position) {
        position = located.position + 1;
        messages++;
      }
      if (want !== "position" && located.position >= skip) {
        collector.add(located.open ? uncounted(located.entry) : located.entry, located.position);
      }
    }
    if (!isThere) return { ...(await scanFrom(0, undefined)), restarted: true };
    return {
      state: newScanState({ offset: 0, position, seen: [], ...collector.state() }),
      facts: collector.facts(),
      total: collector.total(),
      bytesRead: 0,
      linesParsed: messages,
      garbageLines: 0,
      ...(isLost && { restarted: true }),
    };
  }
}

/** What a call of the model used is written down only when it is over. */
function uncounted({ usage: _, ...entry }: TranscriptEntry): TranscriptEntry {
  return entry;
}
