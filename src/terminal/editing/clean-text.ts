import { ESC } from "../text/escapes.ts";

const CONTROL_CODE = new RegExp(`${ESC}\\[(\\d+);5u`, "g");

/**
 * Text as an editor may hold it: one kind of line end, spaces instead of tabs, and no control
 * characters, which would move the terminal's cursor when they are drawn.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replace(/[^\P{Cc}\n]/gu, "");
}

/** Some terminals send a line break inside a paste as the key that types it: ctrl+j. */
export function cleanPaste(text: string): string {
  const decoded = text.replace(CONTROL_CODE, (whole, code: string) => {
    const letter = Number(code) | 0x20;
    return letter >= 97 && letter <= 122 ? String.fromCharCode(letter - 96) : whole;
  });
  return cleanText(decoded);
}
