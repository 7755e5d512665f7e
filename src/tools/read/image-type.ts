const SIGNATURES: readonly {
  mimeType: string;
  parts: readonly [offset: number, bytes: string][];
}[] = [
  { mimeType: "image/png", parts: [[0, "\x89PNG\r\n\x1a\n"]] },
  { mimeType: "image/jpeg", parts: [[0, "\xff\xd8\xff"]] },
  { mimeType: "image/gif", parts: [[0, "GIF8"]] },
  {
    mimeType: "image/webp",
    parts: [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
  },
];

/** The type of an image models can look at, told from its first bytes: names lie. */
export function imageType(start: Buffer): string | undefined {
  const text = start.toString("latin1", 0, 16);
  return SIGNATURES.find(({ parts }) =>
    parts.every(([offset, bytes]) => text.startsWith(bytes, offset)),
  )?.mimeType;
}
