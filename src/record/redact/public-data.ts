import type { Doubt } from "./span.ts";

/** Certificates and public keys. */
const PUBLIC_BLOCK =
  /-----BEGIN (?![A-Z0-9 ]*PRIVATE)[A-Z0-9 ]{1,40}-----[^-]{0,32768}-----END (?![A-Z0-9 ]*PRIVATE)/g;
/** What `base64` prints of a file. A private key has fewer lines. */
const LONG_BLOCK =
  /(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{60,76}(?:\r?\n|\\n)){60,}[A-Za-z0-9+/]{0,76}={0,2}/g;

/** Parts of a text that look random and are known not to be secrets. */
export function publicData(text: string): Doubt[] {
  const ranges: Doubt[] = [];
  if (text.includes("-----BEGIN ")) add(ranges, text, PUBLIC_BLOCK);
  add(ranges, text, LONG_BLOCK);
  return ranges;
}

function add(ranges: Doubt[], text: string, pattern: RegExp): void {
  for (const { index, 0: match } of text.matchAll(pattern)) {
    ranges.push({ start: index, end: index + match.length });
  }
}
