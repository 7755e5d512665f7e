import { formatSize } from "../format-size.ts";
import type { ToolResult } from "../tool.ts";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, type TruncationResult } from "../truncate.ts";
import { type LineWindow, readLineWindow } from "./line-window.ts";
import type { ReadToolDetails, ReadToolInput } from "./read.ts";

/** The lines asked for, and a last line that tells how to read on when there are more. */
export async function textResult(
  pieces: AsyncIterable<Buffer>,
  input: ReadToolInput,
): Promise<ToolResult<ReadToolDetails | undefined>> {
  const first = Math.max(1, Math.floor(input.offset ?? 1));
  const count = input.limit === undefined ? undefined : Math.max(1, Math.floor(input.limit));
  const window = await readLineWindow(pieces, first, count);
  if (first > Math.max(1, window.totalLines)) {
    throw new Error(`offset ${first} is past its end: it has ${lineCount(window)}`);
  }
  const body = window.lines.join("\n") + (window.endsWithNewline ? "\n" : "");
  // The mark is not part of the text, and an edit that repeats it would not match.
  const content = first === 1 ? body.replace(/^\uFEFF/, "") : body;
  const notice = readOn(window, first, input.path);
  const shown = window.lines.length > 0 ? [content] : [];
  const text = [...shown, ...(notice ? [notice] : [])].join("\n\n");
  const cutByUs = window.stoppedBy === "lines" || window.stoppedBy === "bytes";
  return {
    content: [{ type: "text", text }],
    ...(cutByUs && { details: { truncation: truncationOf(window, content) } }),
  };
}

function readOn(window: LineWindow, first: number, path: string): string | undefined {
  if (window.totalBytes === 0) return "[The file is empty.]";
  if (window.stoppedBy === null) return undefined;
  const next = first + window.lines.length;
  if (window.lines.length === 0) {
    const quoted = `'${path.replaceAll("'", `'\\''`)}'`;
    return `[Line ${first} alone is longer than ${formatSize(DEFAULT_MAX_BYTES)}. See its start with bash: sed -n '${first}p' ${quoted} | head -c ${DEFAULT_MAX_BYTES}; read on with offset=${first + 1}.]`;
  }
  return `[Lines ${first} to ${next - 1} of ${lineCount(window)}. Read on with offset=${next}.]`;
}

function lineCount(window: LineWindow): string {
  const lines = `${window.totalLines} ${window.totalLines === 1 ? "line" : "lines"}`;
  return window.complete ? lines : `more than ${lines}`;
}

function truncationOf(window: LineWindow, content: string): TruncationResult {
  return {
    content,
    truncated: true,
    truncatedBy: window.stoppedBy === "bytes" ? "bytes" : "lines",
    totalLines: window.totalLines,
    totalBytes: window.totalBytes,
    outputLines: window.lines.length,
    outputBytes: Buffer.byteLength(content),
    lastLinePartial: false,
    firstLineExceedsLimit: window.lines.length === 0,
    maxLines: DEFAULT_MAX_LINES,
    maxBytes: DEFAULT_MAX_BYTES,
  };
}
