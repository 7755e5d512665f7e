export const DEFAULT_MAX_LINES = 2000;
export const DEFAULT_MAX_BYTES = 50 * 1024;

export interface TruncationOptions {
  maxLines?: number;
  maxBytes?: number;
}

export interface TruncationResult {
  content: string;
  truncated: boolean;
  /** The limit that was hit first. */
  truncatedBy: "lines" | "bytes" | null;
  /** Of the original; for a file too large to read to its end, what was seen of it. */
  totalLines: number;
  totalBytes: number;
  /** Of `content`. */
  outputLines: number;
  outputBytes: number;
  /** The only line left is the end of a longer one (`truncateTail` only). */
  lastLinePartial: boolean;
  /** Nothing is left, because the first line alone is too long (`truncateHead` only). */
  firstLineExceedsLimit: boolean;
  maxLines: number;
  maxBytes: number;
}

/**
 * Keeps whole lines from the start, as for a file.
 *
 * @example
 * const { content, truncated } = truncateHead("one\ntwo\nthree", { maxLines: 2 });
 * console.log(content, truncated); // "one\ntwo" true
 */
export function truncateHead(content: string, options: TruncationOptions = {}): TruncationResult {
  const lines = content.split("\n");
  const { kept, stoppedBy, limits } = keepWhatFits(lines, options);
  return {
    ...describe(content, lines.length, kept, stoppedBy, limits),
    firstLineExceedsLimit: stoppedBy === "bytes" && kept.length === 0,
  };
}

/**
 * Keeps whole lines from the end, as for the output of a command. When the last line alone is too
 * long, its end is kept: an error message at the end of a huge line is what the reader wants.
 *
 * @example
 * const { content } = truncateTail("one\ntwo\nthree", { maxLines: 2 });
 * console.log(content); // "two\nthree"
 */
export function truncateTail(content: string, options: TruncationOptions = {}): TruncationResult {
  const lines = content.split("\n").reverse();
  const { kept, stoppedBy, limits } = keepWhatFits(lines, options);
  const lastLinePartial = stoppedBy === "bytes" && kept.length === 0;
  if (lastLinePartial) kept.push(endOf(lines[0] ?? "", limits.maxBytes));
  return {
    ...describe(content, lines.length, kept.reverse(), stoppedBy, limits),
    lastLinePartial,
  };
}

/** Cuts one long line, for lists of matches. */
export function truncateLine(
  line: string,
  maxChars = 500,
): { text: string; wasTruncated: boolean } {
  if (line.length <= maxChars) return { text: line, wasTruncated: false };
  const cutsAPair = /[\uD800-\uDBFF]/.test(line.charAt(maxChars - 1));
  return {
    text: `${line.slice(0, cutsAPair ? maxChars - 1 : maxChars)}... [truncated]`,
    wasTruncated: true,
  };
}

interface Limits {
  maxLines: number;
  maxBytes: number;
}

function keepWhatFits(lines: readonly string[], options: TruncationOptions) {
  const limits: Limits = {
    maxLines: options.maxLines ?? DEFAULT_MAX_LINES,
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
  };
  const kept: string[] = [];
  let stoppedBy: TruncationResult["truncatedBy"] = null;
  let bytes = 0;
  for (const line of lines) {
    const separator = kept.length === 0 ? 0 : 1;
    bytes += separator + Buffer.byteLength(line);
    if (kept.length >= limits.maxLines) stoppedBy = "lines";
    else if (bytes > limits.maxBytes) stoppedBy = "bytes";
    if (stoppedBy) break;
    kept.push(line);
  }
  return { kept, stoppedBy, limits };
}

function describe(
  original: string,
  totalLines: number,
  kept: readonly string[],
  truncatedBy: TruncationResult["truncatedBy"],
  limits: Limits,
): TruncationResult {
  const content = truncatedBy ? kept.join("\n") : original;
  return {
    content,
    truncated: truncatedBy !== null,
    truncatedBy,
    totalLines,
    totalBytes: Buffer.byteLength(original),
    outputLines: kept.length,
    outputBytes: Buffer.byteLength(content),
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    ...limits,
  };
}

function endOf(line: string, maxBytes: number): string {
  const bytes = Buffer.from(line);
  let start = Math.max(0, bytes.length - maxBytes);
  while (isInsideCharacter(bytes[start])) start++;
  return bytes.toString("utf8", start);
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
