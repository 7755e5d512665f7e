/** The size of a picture in pixels. */
export interface ImageDimensions {
  widthPx: number;
  heightPx: number;
}

type Read = (bytes: Buffer) => ImageDimensions | null;

const size = (widthPx: number, heightPx: number) => ({ widthPx, heightPx });

const png: Read = (bytes) => {
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47) return null;
  return size(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
};

const gif: Read = (bytes) => {
  if (bytes.length < 10 || bytes.toString("latin1", 0, 3) !== "GIF") return null;
  return size(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
};

const jpeg: Read = (bytes) => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  // A file is a list of segments; the size is in the one that starts the frame.
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) at++;
    else {
      const marker = bytes[at + 1] ?? 0;
      const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
      if (isFrame) return size(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
      at += 2 + (marker === 0xff ? -1 : bytes.readUInt16BE(at + 2));
    }
  }
  return null;
};

const webp: Read = (bytes) => {
  if (bytes.length < 30 || bytes.toString("latin1", 8, 12) !== "WEBP") return null;
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8 ")
    return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (kind === "VP8X") return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (kind !== "VP8L") return null;
  const bits = bytes.readUInt32LE(21);
  return size((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
};

/** Reads no further than where the size stands; null for what is no such picture. */
const of = (read: Read) => (base64: string) => {
  try {
    return read(Buffer.from(base64, "base64"));
  } catch {
    return null;
  }
};

export const getPngDimensions = of(png);
export const getJpegDimensions = of(jpeg);
export const getGifDimensions = of(gif);
export const getWebpDimensions = of(webp);

const BY_TYPE: Readonly<Record<string, (base64: string) => ImageDimensions | null>> = {
  "image/png": getPngDimensions,
  "image/jpeg": getJpegDimensions,
  "image/gif": getGifDimensions,
  "image/webp": getWebpDimensions,
};

export function getImageDimensions(base64: string, mimeType: string): ImageDimensions | null {
  return BY_TYPE[mimeType]?.(base64) ?? null;
}
