/** The first text that needs a segmenter makes it: making it takes longer than most commands. */
let segmenter: Intl.Segmenter | undefined;
const PRINTABLE_ASCII = /^[ -~]*$/;

export function isPrintableAscii(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

/** The user-perceived characters of a text without escape sequences. */
export function graphemes(text: string): string[] {
  // Most terminal text is plain ASCII; the segmenter is two orders of magnitude slower.
  if (isPrintableAscii(text)) return text.split("");
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}
