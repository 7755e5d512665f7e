/** Values of one git config file by `section.key` or `section.sub.key`; the last one counts. */
export type ConfigFile = ReadonlyMap<string, string>;

const HEADER = /\[\s*([\w.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]/y;
const KEY = /([a-zA-Z][\w-]*)[ \t\r]*(=?)/y;
const NOTHING = /\s+|[#;][^\n]*/y;
const REST_OF_LINE = /[^\n]*/y;

/**
 * Reads one config file, without what it includes: git itself ignores includes where it finds out
 * what kind of repository it is in, which is all this is for. A key without value is "true".
 */
export function parseConfigFile(text: string): ConfigFile {
  const values = new Map<string, string>();
  let section = "";
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    const header = next(HEADER);
    if (header) {
      const [, name = "", sub] = header;
      section = name.toLowerCase() + (sub === undefined ? "" : `.${sub.replace(/\\(.)/g, "$1")}`);
      continue;
    }
    const key = next(KEY);
    if (!key) {
      // What cannot be read is passed over: git will have its say about it.
      if (!next(NOTHING)) next(REST_OF_LINE);
      continue;
    }
    const name = `${section}.${(key[1] ?? "").toLowerCase()}`;
    if (key[2] === "") values.set(name, "true");
    else {
      const { value, end } = readValue(text, at);
      values.set(name, value);
      at = end;
    }
  }
  return values;
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", "\n": "" };

/** Up to the end of the line; a backslash there goes on with the next one, except in a comment. */
function readValue(text: string, start: number): { value: string; end: number } {
  let [value, space] = ["", ""];
  let isQuoted = false;
  let at = start;
  for (; at < text.length && text[at] !== "\n"; at++) {
    const char = text.charAt(at);
    if (!isQuoted && (char === "#" || char === ";")) {
      const end = text.indexOf("\n", at);
      return { value, end: end < 0 ? text.length : end };
    }
    if (!isQuoted && /\s/.test(char)) {
      if (value !== "") space += char;
      continue;
    }
    // Spaces at the end are dropped, those before something else are not.
    value += space;
    space = "";
    if (char === '"') isQuoted = !isQuoted;
    else if (char === "\\") {
      if (text.startsWith("\r\n", at + 1)) at++;
      const letter = text.charAt(++at);
      value += ESCAPED[letter] ?? letter;
    } else value += char;
  }
  return { value, end: at };
}

/** A boolean as git reads it; undefined when it is not set or not one. */
export function asBoolean(value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  const word = value.toLowerCase();
  if (["true", "yes", "on"].includes(word)) return true;
  if (["false", "no", "off", ""].includes(word)) return false;
  return /^-?\d+$/.test(word) ? Number(word) !== 0 : undefined;
}
