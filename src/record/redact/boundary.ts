import { endsColour } from "./colours.ts";

const ESCAPE_BEFORE = /(?:\\[nrtbfv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2})$/;
/** The longest escape that can stand before a secret. */
const LONGEST = 6;

/**
 * Whether something new can start here. Text inside text is full of `\n`, `\t`, `%3D` and
 * colours: their letters are no part of what follows.
 */
export function startsHere(text: string, at: number): boolean {
  if (at === 0 || !isLetterOrDigit(text.charCodeAt(at - 1))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, at - LONGEST), at)) || endsColour(text, at);
}

export function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
