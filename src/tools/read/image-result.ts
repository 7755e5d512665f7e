import { formatSize } from "../format-size.ts";
import type { ToolResult } from "../tool.ts";

/** Providers refuse an image of more than 5 MB of base64; 3.5 MB of bytes stay well below. */
const MAX_IMAGE_BYTES = 3.5 * 1024 * 1024;

export async function imageResult(
  pieces: AsyncIterable<Buffer>,
  mimeType: string,
  limited: boolean,
): Promise<ToolResult<undefined>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    parts.push(piece);
    bytes += piece.length;
    if (limited && bytes > MAX_IMAGE_BYTES) return tooLarge(mimeType);
  }
  const text = `Image attached (${mimeType}, ${formatSize(bytes)}).`;
  const data = Buffer.concat(parts).toString("base64");
  return {
    content: [
      { type: "text", text },
      { type: "image", data, mimeType },
    ],
  };
}

function tooLarge(mimeType: string): ToolResult<undefined> {
  const limit = formatSize(MAX_IMAGE_BYTES);
  const text = `This image (${mimeType}) is larger than ${limit} and was not attached. Make a smaller copy with bash and read that.`;
  return { content: [{ type: "text", text }] };
}
