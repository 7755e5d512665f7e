import { ESC, splitEscapes } from "./escapes.ts";

const TURNS_TEXT_AROUND = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/**
 * Text that somebody else wrote, such as a model, as it may be drawn: no escape sequence in it is
 * obeyed, no character turns the text around or hides what stands before it. Line breaks and tabs
 * stay.
 */
export function safeText(text: string): string {
  return withoutCommands(text).replace(/\r\n?/g, "\n").replace(CONTROLS, "");
}

/** The same for what a program printed: a line that it wrote over is as it was at the end. */
export function safeOutput(text: string): string {
  return withoutCommands(text)
    .split("\n")
    .map((line) => {
      const end = line.replace(/\r+$/, "");
      return end.slice(end.lastIndexOf("\r") + 1);
    })
    .join("\n")
    .replace(CONTROLS, "");
}

function withoutCommands(text: string): string {
  const pieces = text.includes(ESC) ? splitEscapes(text) : [{ kind: "text" as const, text }];
  return pieces
    .map((piece) => (piece.kind === "escape" ? "" : piece.text))
    .join("")
    .replace(TURNS_TEXT_AROUND, "");
}
