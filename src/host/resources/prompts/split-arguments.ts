/** One argument, and the white space that stood before it. */
export interface Argument {
  gap: string;
  value: string;
}

const ARGUMENT = /(\s*)(?:"((?:[^"\\]|\\[\s\S])*)"(?!\S)|'([^']*)'(?!\S)|(\S+))/gy;

/**
 * What a user typed after a command, as arguments. Quotes hold an argument together only where they
 * enclose the whole of it: the apostrophe in "don't" is an apostrophe.
 */
export function splitArguments(text: string): Argument[] {
  return [...text.trim().matchAll(ARGUMENT)].map(([, gap = "", double, single, bare]) => ({
    gap,
    value: double?.replace(/\\(["\\])/g, "$1") ?? single ?? bare ?? "",
  }));
}

/** Arguments as one text, with the spaces and line breaks that were typed between them. */
export function joinArguments(list: readonly Argument[]): string {
  return list.map(({ gap, value }, index) => (index === 0 ? value : gap + value)).join("");
}
