type Letter =
  | "a"
  | "b"
  | "c"
  | "d"
  | "e"
  | "f"
  | "g"
  | "h"
  | "i"
  | "j"
  | "k"
  | "l"
  | "m"
  | "n"
  | "o"
  | "p"
  | "q"
  | "r"
  | "s"
  | "t"
  | "u"
  | "v"
  | "w"
  | "x"
  | "y"
  | "z";
type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

const SPECIAL_KEYS = {
  escape: "escape",
  esc: "esc",
  enter: "enter",
  return: "return",
  tab: "tab",
  space: "space",
  backspace: "backspace",
  delete: "delete",
  insert: "insert",
  clear: "clear",
  home: "home",
  end: "end",
  pageUp: "pageUp",
  pageDown: "pageDown",
  up: "up",
  down: "down",
  left: "left",
  right: "right",
  f1: "f1",
  f2: "f2",
  f3: "f3",
  f4: "f4",
  f5: "f5",
  f6: "f6",
  f7: "f7",
  f8: "f8",
  f9: "f9",
  f10: "f10",
  f11: "f11",
  f12: "f12",
} as const;

const SYMBOL_KEYS = {
  backtick: "`",
  hyphen: "-",
  equals: "=",
  leftbracket: "[",
  rightbracket: "]",
  backslash: "\\",
  semicolon: ";",
  quote: "'",
  comma: ",",
  period: ".",
  slash: "/",
  exclamation: "!",
  at: "@",
  hash: "#",
  dollar: "$",
  percent: "%",
  caret: "^",
  ampersand: "&",
  asterisk: "*",
  leftparen: "(",
  rightparen: ")",
  underscore: "_",
  plus: "+",
  pipe: "|",
  tilde: "~",
  leftbrace: "{",
  rightbrace: "}",
  colon: ":",
  lessthan: "<",
  greaterthan: ">",
  question: "?",
} as const;

type SpecialKey = keyof typeof SPECIAL_KEYS;
type SymbolKey = (typeof SYMBOL_KEYS)[keyof typeof SYMBOL_KEYS];
type BaseKey = Letter | Digit | SymbolKey | SpecialKey;
type Modifier = "ctrl" | "shift" | "alt" | "super";
type Modified<K extends string, M extends Modifier = Modifier> = {
  [First in M]: `${First}+${K}` | `${First}+${Modified<K, Exclude<M, First>>}`;
}[M];

/** The name of a key with its modifiers in any order, such as `"ctrl+shift+p"`. */
export type KeyId = BaseKey | Modified<BaseKey>;

function withModifiers<M extends string>(modifiers: M) {
  return <K extends BaseKey>(key: K): `${M}+${K}` => `${modifiers}+${key}`;
}

/**
 * Key names that the editor completes and the type checker knows.
 *
 * @example matchesKey(data, Key.ctrl("c"))
 */
export const Key = {
  ...SPECIAL_KEYS,
  ...SYMBOL_KEYS,
  ctrl: withModifiers("ctrl"),
  shift: withModifiers("shift"),
  alt: withModifiers("alt"),
  super: withModifiers("super"),
  ctrlShift: withModifiers("ctrl+shift"),
  shiftCtrl: withModifiers("shift+ctrl"),
  ctrlAlt: withModifiers("ctrl+alt"),
  altCtrl: withModifiers("alt+ctrl"),
  shiftAlt: withModifiers("shift+alt"),
  altShift: withModifiers("alt+shift"),
  ctrlSuper: withModifiers("ctrl+super"),
  superCtrl: withModifiers("super+ctrl"),
  shiftSuper: withModifiers("shift+super"),
  superShift: withModifiers("super+shift"),
  altSuper: withModifiers("alt+super"),
  superAlt: withModifiers("super+alt"),
  ctrlShiftAlt: withModifiers("ctrl+shift+alt"),
  ctrlShiftSuper: withModifiers("ctrl+shift+super"),
} as const;

const SYMBOLS: ReadonlySet<string> = new Set(Object.values(SYMBOL_KEYS));

/** Whether a character is a key of its own: a Latin letter, a digit or one of the symbols. */
export function isCharacterKey(char: string): boolean {
  return /^[a-z0-9]$/.test(char) || SYMBOLS.has(char);
}

const KEY =
  /^(?:(?:ctrl|shift|alt|super)\+)*(?:esc|escape|enter|return|tab|space|backspace|delete|insert|clear|home|end|page(?:up|down)|up|down|left|right|f\d{1,2}|[!-~])$/i;

/** Whether a text from outside names a key. */
export function isKeyId(text: string): text is KeyId {
  return KEY.test(text);
}
