import { ESC } from "../text/escapes.ts";
import { type Chord, CTRL, SHIFT } from "./chord.ts";
import { isCharacterKey } from "./key-id.ts";

const LOCKS = 64 | 128;

/** Keys that end a CSI or SS3 sequence with a letter of their own. */
const LETTER_KEYS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "clear",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};

/** Keys sent as `CSI number ~`. */
const NUMBER_KEYS: Readonly<Record<string, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageUp",
  6: "pageDown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

const CODE_KEYS: ReadonlyMap<number, string> = new Map([
  [9, "tab"],
  [13, "enter"],
  [27, "escape"],
  [32, "space"],
  [127, "backspace"],
]);

/** The number pad in the Kitty protocol, from code 57399 on. */
const KEYPAD_START = 57399;
const KEYPAD =
  "0 1 2 3 4 5 6 7 8 9 . / * - + enter = , left right up down pageUp pageDown home end insert delete".split(
    " ",
  );

const KITTY = new RegExp(
  `^${ESC}\\[(\\d+)(?::(\\d*))?(?::(\\d*))?(?:;(\\d*)(?::(\\d*))?)?(?:;[\\d:]*)?u$`,
);
const LETTER = new RegExp(`^${ESC}\\[(?:1;(\\d+)(?::\\d+)?)?([A-FHPQS])$`);
const NUMBER = new RegExp(`^${ESC}\\[(\\d+)(?:;(\\d+)(?::\\d+)?)?~$`);
const OTHER_KEYS = new RegExp(`^${ESC}\\[27;(\\d+);(\\d+)~$`);
const SS3 = new RegExp(`^${ESC}O([A-FHPQRSM])$`);
const RXVT_NUMBER = new RegExp(`^${ESC}\\[(\\d)([$^@])$`);
const RXVT_LETTER = new RegExp(`^${ESC}([O[])([a-e])$`);
const CONSOLE = new RegExp(`^${ESC}\\[\\[(?:([A-E])|([56])~)$`);

/** A key sent as a number: its code point, the one with shift held, its place on a US keyboard. */
interface CodedKey {
  readonly code: number;
  readonly shifted?: number;
  readonly base?: number;
  readonly mods: number;
}

/** Reads the two numeric dialects: the Kitty protocol and xterm's modifyOtherKeys. */
export function codedKey(data: string): CodedKey | undefined {
  const kitty = KITTY.exec(data);
  if (kitty) {
    const [, code, shifted, base, mods] = kitty;
    return {
      code: Number(code),
      ...(shifted ? { shifted: Number(shifted) } : {}),
      ...(base ? { base: Number(base) } : {}),
      mods: modifiers(mods),
    };
  }
  const other = OTHER_KEYS.exec(data);
  return other ? { code: Number(other[2]), mods: modifiers(other[1]) } : undefined;
}

/** What a key on the number pad stands for, by its Kitty code. */
export function keypadName(code: number): string | undefined {
  return KEYPAD[code - KEYPAD_START];
}

/** The key an escape sequence stands for, in any dialect. */
export function csiKey(data: string): Chord | undefined {
  if (data === `${ESC}[Z`) return { key: "tab", mods: SHIFT };
  const coded = codedKey(data);
  if (coded) return codedChord(coded);
  const letter = LETTER.exec(data);
  if (letter) return named(LETTER_KEYS[letter[2] ?? ""], modifiers(letter[1]));
  const number = NUMBER.exec(data);
  if (number) return named(NUMBER_KEYS[number[1] ?? ""], modifiers(number[2]));
  const ss3 = SS3.exec(data)?.[1];
  if (ss3) return ss3 === "M" ? named("enter", 0) : named(LETTER_KEYS[ss3], 0);
  return rxvtKey(data) ?? consoleKey(data);
}

function codedChord({ code, base, mods }: CodedKey): Chord | undefined {
  const name = codeName(code, mods);
  // A key that types a letter of another script is known by where it sits, so that ctrl+c works on
  // a Cyrillic keyboard. A Latin letter or symbol is never overruled: on Dvorak the place is wrong.
  return named(name ?? (base === undefined ? undefined : codeName(base, mods)), mods);
}

function codeName(code: number, mods: number): string | undefined {
  const special = CODE_KEYS.get(code) ?? keypadName(code);
  if (special || code > 126) return special;
  const char = String.fromCharCode(code);
  const key = (mods & SHIFT) !== 0 ? char.toLowerCase() : char;
  return isCharacterKey(key) ? key : undefined;
}

function rxvtKey(data: string): Chord | undefined {
  const number = RXVT_NUMBER.exec(data);
  if (number) {
    const mods = { $: SHIFT, "^": CTRL, "@": SHIFT | CTRL }[number[2] ?? ""] ?? 0;
    return named(NUMBER_KEYS[number[1] ?? ""], mods);
  }
  const letter = RXVT_LETTER.exec(data);
  if (!letter) return undefined;
  return named(LETTER_KEYS[(letter[2] ?? "").toUpperCase()], letter[1] === "O" ? CTRL : SHIFT);
}

function consoleKey(data: string): Chord | undefined {
  const match = CONSOLE.exec(data);
  if (!match) return undefined;
  const [, letter, page] = match;
  return letter ? named(`f${"ABCDE".indexOf(letter) + 1}`, 0) : named(NUMBER_KEYS[page ?? ""], 0);
}

function named(key: string | undefined, mods: number): Chord | undefined {
  return key === undefined ? undefined : { key, mods };
}

/** Caps lock and num lock are states, not keys somebody holds. */
function modifiers(value: string | undefined): number {
  return value ? Math.max(0, Number(value) - 1) & ~LOCKS : 0;
}
