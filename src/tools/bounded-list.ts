import { formatSize } from "./format-size.ts";
import { DEFAULT_MAX_BYTES, type TruncationResult, truncateHead } from "./truncate.ts";

/**
 * Lines as the text of a result, cut at the byte limit, with the notices in one last line. The
 * number of lines is not cut here: the tools that use this count entries, not lines.
 */
export function boundedList(
  lines: readonly string[],
  notices: readonly string[],
): { text: string; truncation?: TruncationResult } {
  const truncation = truncateHead(lines.join("\n"), { maxLines: Number.MAX_SAFE_INTEGER });
  const all = truncation.truncated
    ? [...notices, `Cut at ${formatSize(DEFAULT_MAX_BYTES)}; ask for less at once.`]
    : notices;
  const text = all.length > 0 ? `${truncation.content}\n\n[${all.join(" ")}]` : truncation.content;
  return truncation.truncated ? { text, truncation } : { text };
}

/** A limit as the model sent it, as a count that can be used. */
export function usableLimit(limit: number | undefined, fallback: number): number {
  return limit === undefined || Number.isNaN(limit) ? fallback : Math.max(1, Math.floor(limit));
}
