/**
 * Characters that show nothing, turn text around or steer a terminal. Joiners are among them: in a
 * command or a name they can only make one thing look like another.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what nobody sees.
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * What a machine is given, as it is, for people who have to agree to it: what nobody would see is
 * named instead of left out, and no terminal obeys it.
 */
export function inSight(text: string): string {
  return text.replace(UNSEEN, (unseen) => {
    const code = unseen.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}
