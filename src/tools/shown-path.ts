// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/;

/** A path for a list with one entry per line: a name that would break the line is shown quoted. */
export function shownPath(path: string): string {
  return CONTROL_CHARACTERS.test(path) ? JSON.stringify(path) : path;
}
