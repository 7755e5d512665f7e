import { ESC } from "../text/escapes.ts";
import { ALT, type Chord, CTRL, SHIFT } from "./chord.ts";
import { csiKey } from "./csi-keys.ts";
import { isCharacterKey } from "./key-id.ts";
import { isKittyProtocolActive } from "./protocol.ts";

/** What `ESC letter` means besides alt+letter: readline's word and history keys. */
const ALT_ARROWS: Readonly<Record<string, string>> = {
  b: "left",
  f: "right",
  p: "up",
  n: "down",
};

/**
 * Every key a piece of input can stand for, the likeliest first. Old terminals send the same byte
 * for several keys: 0x0D is enter as well as ctrl+m.
 */
export function readings(data: string): Chord[] {
  const char = data.startsWith(ESC) && data.length === 2 ? data.slice(1) : undefined;
  if (char !== undefined) {
    const alt = altReadings(char);
    if (alt.length > 0) return alt;
  }
  if (data.length === 1) return byteReadings(data);
  const key = csiKey(data);
  return key ? [key] : [];
}

function byteReadings(char: string): Chord[] {
  const code = char.charCodeAt(0);
  if (code === 0) return [{ key: "space", mods: CTRL }];
  if (code === 0x20) return [{ key: "space", mods: 0 }];
  if (code === 0x7f) return [{ key: "backspace", mods: 0 }];
  if (code < 0x20) return controlReadings(code);
  if (char >= "A" && char <= "Z") return [{ key: char.toLowerCase(), mods: SHIFT }];
  return isCharacterKey(char) ? [{ key: char, mods: 0 }] : [];
}

function controlReadings(code: number): Chord[] {
  const typed = { key: String.fromCharCode(code + 0x40).toLowerCase(), mods: CTRL };
  switch (code) {
    case 0x08:
      return [{ key: "backspace", mods: 0 }, typed];
    case 0x09:
      return [{ key: "tab", mods: 0 }, typed];
    case 0x0a:
      // Some terminals are set up to send a line feed for shift+enter, where enter has its own code.
      return [{ key: "enter", mods: isKittyProtocolActive() ? SHIFT : 0 }, typed];
    case 0x0d:
      return [{ key: "enter", mods: 0 }, typed];
    case 0x1b:
      return [{ key: "escape", mods: 0 }, typed];
    case 0x1f:
      return [{ key: "-", mods: CTRL }, typed];
    default:
      return [typed];
  }
}

/** Old terminals put ESC before a character for alt. The Kitty protocol has its own form for that. */
function altReadings(char: string): Chord[] {
  const kitty = isKittyProtocolActive();
  const code = char.charCodeAt(0);
  if (code === 0x7f) return [{ key: "backspace", mods: ALT }];
  if (kitty && code === 0x0d) return [{ key: "enter", mods: SHIFT }];
  const arrow = ALT_ARROWS[kitty ? char : char.replace(/^[BF]$/, (letter) => letter.toLowerCase())];
  const result: Chord[] = arrow ? [{ key: arrow, mods: ALT }] : [];
  const typed = code <= 0x20 || /^[a-z0-9]$/.test(char);
  if (!typed || (kitty && code !== 0x08 && (code < 0x1b || code > 0x1f))) return result;
  const plain = byteReadings(char).filter(({ key }) => key !== "escape");
  return [...result, ...plain.map(({ key, mods }) => ({ key, mods: mods | ALT }))];
}
