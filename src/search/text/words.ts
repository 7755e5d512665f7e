/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu;
/** Quick to see: whether there can be any of those, and of emoji. */
const MAYBE_UNSPACED =
  /[\u1100-\u11ff\u3005-\u9fff\ua960-\ua97f\uac00-\ud7ff\ud840-\ud888\uf900-\ufaff\uff66-\uff9f]/;
const EMOJI = /[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}]/gu;
const MAYBE_EMOJI = /[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\ud83c-\ud83e]/;
/** Where a name goes on with a capital letter. */
const HUMP = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/g;
/** A longer name is no name that somebody types a part of. */
const LONGEST_NAME = 80;

/**
 * A text as the index of words gets it. SQLite's tokeniser splits at everything that is no letter or
 * digit; what it cannot do is added here: pairs of characters for scripts without spaces, names for
 * emoji, and after the text the parts of names in camel case.
 */
export function indexedWords(text: string): string {
  const spaced = spacedOut(text, true);
  const parts = partsOfNames(text);
  return parts.length === 0 ? spaced : `${spaced}\n${parts.join(" ")}`;
}

/** The same without the parts of names: for what tools print, which is mostly code. */
export function indexedOutput(text: string): string {
  return spacedOut(text, true);
}

/**
 * The same for a phrase that is looked for. Of a run at its end the last character is no word of its
 * own: in the text the run may go on.
 */
export function soughtWords(phrase: string): string {
  return spacedOut(phrase.trimEnd(), false);
}

/** Whether there is anything in a text that the tokeniser takes for a word. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}\p{Co}]/u.test(text) || MAYBE_EMOJI.test(text);
}

/** A single character of a script without spaces: then words are looked for that begin with it. */
export function isSingleUnspaced(text: string): boolean {
  return [...text].length === 1 && new RegExp(UNSPACED.source, "u").test(text);
}

function spacedOut(text: string, isWhole: boolean): string {
  const paired = MAYBE_UNSPACED.test(text)
    ? text.replace(UNSPACED, (run, at: number) => {
        const isOpen = !isWhole && at + run.length === text.length;
        return ` ${pairs(run, isOpen)} `;
      })
    : text;
  if (!MAYBE_EMOJI.test(paired)) return paired;
  return paired.replace(EMOJI, (sign) => ` emoji${sign.codePointAt(0)?.toString(16)} `);
}

/** Overlapping pairs, so that any two characters that stand together are found. */
function pairs(run: string, isOpen: boolean): string {
  const signs = [...run];
  const found = signs.slice(0, -1).map((sign, at) => sign + signs[at + 1]);
  // The last one too: each character is the beginning of a word.
  if (!isOpen || signs.length === 1) found.push(signs.at(-1) ?? "");
  return found.join(" ");
}

function partsOfNames(text: string): string[] {
  const parts = new Set<string>();
  let done = 0;
  for (const { index } of text.matchAll(HUMP)) {
    if (index < done) continue;
    let start = index;
    while (start > done && isNameCode(text.charCodeAt(start - 1))) start--;
    let end = index + 2;
    while (end < text.length && isNameCode(text.charCodeAt(end))) end++;
    done = end;
    if (end - start > LONGEST_NAME) continue;
    const split = text.slice(start, end).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? [];
    for (const part of split) if (part.length > 1) parts.add(part.toLowerCase());
  }
  return [...parts];
}

function isNameCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
