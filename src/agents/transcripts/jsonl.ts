import { readFile } from "node:fs/promises";
import { chunkLines, joinLines } from "./chunk-lines.ts";
import type { TranscriptFormat } from "./format.ts";

type Parts = Pick<TranscriptFormat, "recognise"> &
  Partial<
    Pick<TranscriptFormat, "read" | "prepare" | "forkedFrom" | "namesCalls" | "usageIsGlobal">
  > &
  Required<Pick<TranscriptFormat, "lines">>;

/** A format of one record a line, in a file of its own. */
export function jsonlFormat(parts: Parts): TranscriptFormat {
  return {
    unit: "line",
    read: (ref) => readFile(ref),
    chunk: chunkLines,
    reassemble: joinLines,
    ...parts,
  };
}
