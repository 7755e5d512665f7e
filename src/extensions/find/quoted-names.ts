/** A text between two quotes, which may be the name of a file or of a package. */
export interface QuotedName {
  readonly name: string;
  /** It comes after `from`, `import` or `require`. */
  readonly isImported: boolean;
  /** It is the first argument of a call of anything. */
  readonly isArgument: boolean;
}

const LONGEST = 300;
/** How far in front of a name the word is looked for that imports it. */
const WINDOW = 400;
const QUOTE = /["'`]/g;
const TYPE_IMPORT = /\b(?:import|export)\s+type\b/;
const FROM = /\bfrom\s*$/;
const IMPORTS = /\b(?:from|import|require)$/;

/**
 * What stands between two quotes in a program. Looked for around every quote, so that an apostrophe in
 * a comment cannot hide what comes after it; what only types come from is left out. Anybody may have
 * written the text, so every character is looked at a fixed number of times, whatever it is.
 */
export function* quotedNames(text: string): Generator<QuotedName> {
  let start = -1;
  let before = "";
  for (const { index: end } of text.matchAll(QUOTE)) {
    const name = text.slice(start + 1, end);
    const closes = start >= 0 && text[start] === text[end];
    const isName = start >= 0 && name !== "" && name.length <= LONGEST && !name.includes("\n");
    if (isName && !(closes && isOfTypes(before))) {
      const said = closes ? placeOf(text, start) : NOWHERE;
      yield { name, ...said };
    }
    before = name;
    start = end;
  }
}

/** There is no quote in what comes before it, so this is looked at once. */
function isOfTypes(before: string): boolean {
  if (!FROM.test(before.slice(-WINDOW))) return false;
  return TYPE_IMPORT.test(before.slice(before.lastIndexOf(";") + 1));
}

const NOWHERE = { isImported: false, isArgument: false };

function placeOf(text: string, quote: number): Omit<QuotedName, "name"> {
  let left = text.slice(Math.max(0, quote - WINDOW), quote);
  const isArgument = left.trimEnd().endsWith("(");
  for (let length = -1; length !== left.length; ) {
    length = left.length;
    left = withoutComment(left);
    if (left.endsWith("(")) left = left.slice(0, -1);
  }
  return { isArgument, isImported: IMPORTS.test(left.slice(-LONGEST_WORD)) };
}

const LONGEST_WORD = " require".length;

/** Without the space at its end, and without the comment before that. */
function withoutComment(text: string): string {
  const left = text.trimEnd();
  if (left.endsWith("*/")) return left.slice(0, Math.max(left.lastIndexOf("/*"), 0));
  if (!text.slice(left.length).includes("\n")) return left;
  const comment = left.indexOf("//", left.lastIndexOf("\n") + 1);
  return comment < 0 ? left : left.slice(0, comment);
}
