import { type Change, type Rewritten, rewritten } from "./rewritten.ts";

/** An escape of an address, once or twice over, for a sign that secrets have in or around them. */
const ESCAPE = /%(?:25)?(2[0267A-F]|3[A-F]|40|5F|7E)/gi;
const HINT = new RegExp(ESCAPE.source, "i");
/** What follows it is another parameter. */
const AND = "26";

/** The text with the escapes of addresses resolved: `sk%2Dant%2D…`. Undefined if there are none. */
export function withoutPercent(text: string): Rewritten | undefined {
  if (!text.includes("%") || !HINT.test(text)) return undefined;
  return rewritten(text, escapesIn(text));
}

function* escapesIn(text: string): Generator<Change> {
  for (const { index, 0: coded, 1: code = "" } of text.matchAll(ESCAPE)) {
    // The end of a line ends every value, and no value goes on after a parameter.
    const value = code === AND ? "\n" : String.fromCharCode(Number.parseInt(code, 16));
    yield { start: index, end: index + coded.length, value };
  }
}
