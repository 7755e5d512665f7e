import { type Rewritten, rewritten } from "./rewritten.ts";

/** The character that begins an escape of a terminal, and how programs write it down as text. */
const ESCAPE = "(?:\\x1b|\\\\{1,8}(?:u001[bB]|x1[bB]|033|e)|\\^\\[)";
/** How the name of a window or the address of a link ends. */
const END_OF_TEXT = `(?:\\x07|\\\\{1,8}(?:u0007|x07|007|a)|${ESCAPE}\\\\{1,8})`;
/** `ESC [ 1 ; 31 m`: colours, and what moves the cursor. */
const CONTROL = `${ESCAPE}\\[[0-9;:<=>?]{0,64}[ -/]{0,4}[@A-Za-z\`{|}~]`;
/** `ESC ] 8 ; ; address`: links and titles. */
const TEXT = `${ESCAPE}\\][^\\x00-\\x1f\\\\]{0,2048}${END_OF_TEXT}`;
const CHARACTER_SET = "\\x1b[()][0-9A-B]";
/** What is before and after such a sequence is read as one text. */
const COLOURS = new RegExp(`${CONTROL}|${TEXT}|${CHARACTER_SET}`, "g");
const ANY = new RegExp(`${CONTROL}|${TEXT}|${CHARACTER_SET}`);
/** All of them have one of these. */
const HINTS = ["\\x1b", "\\\\u001[bB]", "\\\\x1[bB]", "\\\\033", "\\\\e\\[", "\\^\\[\\["];
const HINT = new RegExp(HINTS.join("|"));
const ENDS_WITH_ONE = new RegExp(`(?:${CONTROL})$`);
const LONGEST_BEFORE = 48;

/**
 * The text as a terminal shows it: without colours. They stand between a name and its value and
 * inside of values (`grep` marks what it found), and the letter at their end looks like a part of
 * what follows. Undefined if there are none.
 */
export function withoutColours(text: string): Rewritten | undefined {
  if (!HINT.test(text) || !ANY.test(text)) return undefined;
  const cuts = [...text.matchAll(COLOURS)].map(({ index, 0: match }) => ({
    start: index,
    end: index + match.length,
    value: "",
  }));
  return rewritten(text, cuts);
}

/** Whether an escape of a terminal ends here. */
export function endsColour(text: string, at: number): boolean {
  return ENDS_WITH_ONE.test(text.slice(Math.max(0, at - LONGEST_BEFORE), at));
}
