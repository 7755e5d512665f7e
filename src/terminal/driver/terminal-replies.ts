import { ESC } from "../text/escapes.ts";

/** What a terminal told about itself. */
export type TerminalReply =
  | { readonly kind: "synchronized"; readonly isKnown: boolean }
  | { readonly kind: "keyboard" }
  | { readonly kind: "background"; readonly isLight: boolean }
  /** The answer every terminal gives; what was asked before it and not answered is not known to it. */
  | { readonly kind: "end" }
  | { readonly kind: "other" };

/** Asks for synchronized output, the Kitty keyboard and the background; the last one always answers. */
export const QUERIES = `${ESC}[?2026$p${ESC}[?u${ESC}]11;?${ESC}\\${ESC}[c`;

const MODE = new RegExp(`^${ESC}\\[\\?2026;(\\d)\\$y$`);
const KEYBOARD = new RegExp(`^${ESC}\\[\\?\\d+u$`);
const BACKGROUND = new RegExp(`^${ESC}\\]11;rgba?:([0-9a-f]+)/([0-9a-f]+)/([0-9a-f]+)`, "i");
const DEVICE = new RegExp(`^${ESC}\\[\\?[\\d;]*c$`);
const OTHER = new RegExp(`^${ESC}(?:[\\]P]|\\[\\?[\\d;]*\\$y$)`);

/** Undefined: this is no reply but something the user did. */
export function terminalReply(data: string): TerminalReply | undefined {
  const mode = MODE.exec(data);
  // 1 and 2: it is on or off. 3: always on. 0 and 4: it cannot be switched on.
  if (mode) return { kind: "synchronized", isKnown: "123".includes(mode[1] ?? "") };
  if (KEYBOARD.test(data)) return { kind: "keyboard" };
  const background = BACKGROUND.exec(data);
  if (background) return { kind: "background", isLight: isLight(background.slice(1)) };
  if (DEVICE.test(data)) return { kind: "end" };
  return OTHER.test(data) ? { kind: "other" } : undefined;
}

function isLight(parts: readonly string[]): boolean {
  const [red = 0, green = 0, blue = 0] = parts.map(
    (part) => Number.parseInt(part, 16) / (16 ** part.length - 1),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}
