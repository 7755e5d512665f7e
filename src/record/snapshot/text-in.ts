/** As git tells text from other files. */
const BINARY_WITHIN = 8_000;
/** Of text in two bytes per character, most have nothing in one of them. */
const MOST = 0.7;

/** How the text of a file is had; undefined if it is none. */
export function textIn(content: Buffer): (() => string) | undefined {
  const start = content.subarray(0, BINARY_WITHIN);
  if (!start.includes(0)) return () => content.toString("utf8");
  if (content.length % 2 === 1) return undefined;
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || zeros(start, 1) > MOST) {
    return () => content.toString("utf16le");
  }
  if ((first === 0xfe && second === 0xff) || zeros(start, 0) > MOST) {
    return () => Buffer.from(content).swap16().toString("utf16le");
  }
  return undefined;
}

/** How many of every second byte, from this one on, are zero; none may be in between. */
function zeros(bytes: Buffer, from: 0 | 1): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue;
    if (at % 2 !== from) return 0;
    count++;
  }
  return count / (bytes.length / 2);
}
