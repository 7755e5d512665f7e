import { formatSize } from "../format-size.ts";
import type { OutputSnapshot } from "./output.ts";
import { MAX_SAVED_BYTES } from "./output-file.ts";

/** The output as the model sees it: when its start is missing, a last line tells where to find it. */
export function outputText({ truncation, fullOutputPath }: OutputSnapshot): string {
  if (!truncation.truncated) return truncation.content;
  const { outputLines, totalLines, outputBytes } = truncation;
  const part = truncation.lastLinePartial
    ? `Only the last ${formatSize(outputBytes)} of line ${totalLines}`
    : `Only lines ${totalLines - outputLines + 1} to ${totalLines} of ${totalLines}`;
  const saved =
    truncation.totalBytes > MAX_SAVED_BYTES
      ? `The first ${formatSize(MAX_SAVED_BYTES)}`
      : "All of it";
  const where = fullOutputPath ? `${saved}: ${fullOutputPath}` : "The rest could not be saved";
  return `${truncation.content}\n\n[${part}. ${where}]`;
}
