import { pathBytes, type RawPath, rawPath } from "./raw-path.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  '"': '"',
  "\\": "\\",
};

const UNESCAPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ESCAPES).map(([char, letter]) => [letter, char]),
);

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A path for people and for JSON: as it is where that is possible, otherwise in quotes with escapes,
 * as git prints it. `pathFromShown` turns it back.
 */
export function shownPath(path: RawPath): string {
  const text = decoded(path);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not be printed
  if (text !== undefined && !/[\x00-\x1f\x7f-\x9f"\\]/.test(text)) return text;
  const quoted = [...path].map((char) => {
    const letter = ESCAPES[char];
    if (letter !== undefined) return `\\${letter}`;
    const code = char.charCodeAt(0);
    return code < 0x20 || code >= 0x7f ? `\\${code.toString(8).padStart(3, "0")}` : char;
  });
  return `"${quoted.join("")}"`;
}

/** The path that `shownPath` made this of. */
export function pathFromShown(shown: string): RawPath {
  const inside = /^"(.*)"$/s.exec(shown)?.[1];
  if (inside === undefined) return rawPath(shown);
  // Nothing but ASCII is left inside quotes, so characters are bytes.
  return inside.replace(/\\(?:([0-7]{3})|(.))/gs, (_, octal?: string, letter?: string) =>
    octal === undefined
      ? (UNESCAPES[letter ?? ""] ?? letter ?? "")
      : String.fromCharCode(Number.parseInt(octal, 8) & 0xff),
  ) as RawPath;
}

function decoded(path: RawPath): string | undefined {
  try {
    return decoder.decode(pathBytes(path));
  } catch {
    return undefined;
  }
}
