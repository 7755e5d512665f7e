import type { LineQuery } from "./line-search.ts";

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: "\\t ",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

/** The query as a JavaScript expression, also where ripgrep's way to write it is another. */
export function linePattern(query: LineQuery): RegExp {
  const flags = query.ignoreCase ? "i" : "";
  if (query.literal) return new RegExp(query.pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), flags);
  const inline = /^\(\?([imsu]+)\)/.exec(query.pattern);
  const source = query.pattern
    .slice(inline?.[0].length ?? 0)
    .replace(/\[:(\w+):\]/g, (whole, name: string) => POSIX_CLASSES[name] ?? whole)
    .replaceAll("(?P<", "(?<");
  const allFlags = inline?.[1]?.includes("i") ? "i" : flags;
  // Only "u" knows \p{...}, and only without it is an escape too many forgiven.
  return compile(source, `${allFlags}u`) ?? compile(source, allFlags) ?? refuse(source);
}

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

function refuse(source: string): never {
  throw new Error(`${source} is not a valid regular expression`);
}
