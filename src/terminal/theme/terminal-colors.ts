import { ESC } from "../text/escapes.ts";

/** A colour as terminals tell it. */
export interface RgbColor {
  r: number;
  g: number;
  b: number;
}

const ANSWER = new RegExp(
  `^${ESC}\\]11;(?:rgba?:([\\da-f]+)/([\\da-f]+)/([\\da-f]+)|#([\\da-f]{6}))`,
  "i",
);
const SCHEME = new RegExp(`^${ESC}\\[\\?997;([12])n`);

/** The background colour in a terminal's answer to the question for it. */
export function parseOsc11BackgroundColor(data: string): RgbColor | undefined {
  const [, r, g, b, hex] = ANSWER.exec(data) ?? [];
  if (hex !== undefined) {
    const value = Number.parseInt(hex, 16);
    return { r: value >> 16, g: (value >> 8) & 0xff, b: value & 0xff };
  }
  if (r === undefined || g === undefined || b === undefined) return undefined;
  const part = (text: string) =>
    Math.round((Number.parseInt(text, 16) / (16 ** text.length - 1)) * 255);
  return { r: part(r), g: part(g), b: part(b) };
}

/** What a terminal reports when the user switches between light and dark. */
export function parseTerminalColorSchemeReport(data: string): "dark" | "light" | undefined {
  const [, scheme] = SCHEME.exec(data) ?? [];
  if (scheme === undefined) return undefined;
  return scheme === "1" ? "dark" : "light";
}
