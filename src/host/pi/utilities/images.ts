import { open } from "node:fs/promises";
import { getImageDimensions } from "../../../terminal/index.ts";
import { imageType } from "../../../tools/index.ts";

interface ResizeOptions {
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  readonly maxBytes?: number;
}

interface Resized {
  data: string;
  mimeType: string;
  originalWidth: number;
  originalHeight: number;
  width: number;
  height: number;
  wasResized: boolean;
}

const MOST_PIXELS = 2_000;
const MOST_BYTES = 4.5 * 1024 * 1024;

/**
 * An image that models take: itself, if it is small enough. Seam brings no decoder for pictures, so a
 * larger one gives null, as it does in Pi where an image cannot be made small enough.
 */
export async function resizeImage(
  bytes: Uint8Array | { data: string; mimeType: string },
  mimeType?: string,
  options: ResizeOptions = {},
): Promise<Resized | null> {
  const given =
    bytes instanceof Uint8Array ? Buffer.from(bytes) : Buffer.from(bytes.data, "base64");
  const type = bytes instanceof Uint8Array ? (mimeType ?? "image/png") : bytes.mimeType;
  const data = given.toString("base64");
  const { maxWidth = MOST_PIXELS, maxHeight = MOST_PIXELS, maxBytes = MOST_BYTES } = options;
  const size = getImageDimensions(data, type);
  if (!size || size.widthPx > maxWidth || size.heightPx > maxHeight) return null;
  if (data.length > maxBytes) return null;
  const { widthPx: width, heightPx: height } = size;
  return {
    data,
    mimeType: type,
    originalWidth: width,
    originalHeight: height,
    width,
    height,
    wasResized: false,
  };
}

/** What a model has to know of a picture that it sees smaller than it is. */
export function formatDimensionNote(image: Resized): string | undefined {
  if (!image.wasResized) return undefined;
  const { originalWidth, originalHeight, width, height } = image;
  const scale = (originalWidth / width).toFixed(2);
  return `[Image: original ${originalWidth}x${originalHeight}, shown at ${width}x${height}. Multiply coordinates by ${scale}.]`;
}

/** The same picture as PNG; null if it is something else, which Seam cannot decode. */
export async function convertToPng(
  data: string,
  mimeType: string,
): Promise<{ data: string; mimeType: string } | null> {
  return mimeType === "image/png" ? { data, mimeType } : null;
}

/** The type of a picture that models can look at, told from its first bytes. */
export async function detectSupportedImageMimeTypeFromFile(path: string): Promise<string | null> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return imageType(buffer.subarray(0, bytesRead)) ?? null;
  } finally {
    await file.close();
  }
}
