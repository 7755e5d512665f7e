import { ESC, splitEscapes } from "./escapes.ts";

const TURNS_TEXT_AROUND = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text that somebody else wrote, such as a model or a program, as it may be drawn: no escape
 * sequence in it is obeyed, no character turns the text around. Line breaks and tabs stay.
 */
export function safeText(text: string): string {
  const pieces = text.includes(ESC) ? splitEscapes(text) : [{ kind: "text" as const, text }];
  return pieces
    .map((piece) => (piece.kind === "escape" ? "" : piece.text))
    .join("")
    .replace(/\r\n/g, "\n")
    .replace(/[^\n]*\r(?=[^\n])/g, "")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .replace(TURNS_TEXT_AROUND, "");
}
