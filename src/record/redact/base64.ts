import { isUtf8 } from "node:buffer";

/** Programs that print base64 break its lines after so many characters. */
export const WRAPPED: ReadonlySet<number> = new Set([60, 64, 72, 76]);

const SHORTEST = 8;
/** Nothing that is read as text is longer. */
const LONGEST = 64 * 1024;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const DIGITS = new Int8Array(128).fill(-1);
for (const [value, char] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  DIGITS[char.charCodeAt(0)] = value;
}
DIGITS["-".charCodeAt(0)] = 62;
DIGITS["_".charCodeAt(0)] = 63;

/**
 * The text that was put into base64, as bytes; undefined if it was no text. Among what is not base64
 * at all hardly anything decodes to characters alone.
 */
export function decodedText(base64: string): string | undefined {
  if (base64.length < SHORTEST || base64.length > LONGEST || !BASE64.test(base64)) return undefined;
  const bytes = Buffer.from(base64, "base64");
  return bytes.every(isWritten) && isUtf8(bytes) ? bytes.toString("latin1") : undefined;
}

/** No text has other control characters. Some encodings of mails have ESC. */
function isWritten(byte: number): boolean {
  return byte >= 32 ? byte !== 127 : byte === 9 || byte === 10 || byte === 13 || byte === 27;
}

/** A quick look at the first eight characters: whether they stand for letters, digits and signs. */
export function startsLikeText(text: string, at: number): boolean {
  for (let from = at; from < at + 8; from += 4) {
    let bits = 0;
    for (let next = from; next < from + 4; next++) {
      const digit = DIGITS[text.charCodeAt(next)] ?? -1;
      if (digit < 0) return false;
      bits = (bits << 6) | digit;
    }
    if (!isShown(bits >> 16) || !isShown((bits >> 8) & 255) || !isShown(bits & 255)) return false;
  }
  return true;
}

function isShown(byte: number): boolean {
  return (byte >= 32 && byte < 127) || byte === 10 || byte === 9 || byte === 13;
}
