import { SHIFT } from "./chord.ts";
import { codedKey, keypadName } from "./csi-keys.ts";
import { isKeyRelease } from "./match.ts";

const LAST_CODE_POINT = 0x10ffff;

/** The character a numeric key sequence types; none if a modifier other than shift is held. */
export function decodeKittyPrintable(data: string): string | undefined {
  const key = codedKey(data);
  if (!key || (key.mods & ~SHIFT) !== 0) return undefined;
  const code = (key.mods & SHIFT) !== 0 ? (key.shifted ?? key.code) : key.code;
  const keypad = keypadName(code);
  if (keypad !== undefined) return keypad.length === 1 ? keypad : undefined;
  // The codes between are the protocol's own names for keys that type nothing.
  const functional = code >= 57344 && code <= 63743;
  if (code < 32 || code === 127 || functional || code > LAST_CODE_POINT) return undefined;
  return String.fromCodePoint(code);
}

/** The text a key press types, or undefined for keys that type none. */
export function printableText(data: string): string | undefined {
  if (isKeyRelease(data)) return undefined;
  const decoded = decodeKittyPrintable(data);
  if (decoded !== undefined) return decoded;
  const first = data.charCodeAt(0);
  return first >= 32 && first !== 127 ? data : undefined;
}
