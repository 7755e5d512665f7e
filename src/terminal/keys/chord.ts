/** Modifier bits as terminals report them (they send the sum plus one). */
export const SHIFT = 1;
export const ALT = 2;
export const CTRL = 4;
const SUPER = 8;

/** One key with the modifiers held down. */
export interface Chord {
  readonly key: string;
  readonly mods: number;
}

const BITS: ReadonlyMap<string, number> = new Map([
  ["shift", SHIFT],
  ["ctrl", CTRL],
  ["alt", ALT],
  ["super", SUPER],
]);
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["esc", "escape"],
  ["return", "enter"],
]);
const KNOWN_BITS = SHIFT | ALT | CTRL | SUPER;

/** Reads a key name. The key is lower case afterwards, since `pageUp` and `pageup` are the same. */
export function parseChord(id: string): Chord | undefined {
  const name = id.toLowerCase();
  // The plus key is written with the sign that separates the parts: "ctrl++".
  const key = name.endsWith("+") ? "+" : name.slice(name.lastIndexOf("+") + 1);
  const modifiers = name.slice(0, name.length - key.length).split("+");
  let mods = 0;
  for (const modifier of modifiers.slice(0, -1)) mods |= BITS.get(modifier) ?? 0;
  return key === "" ? undefined : { key: ALIASES.get(key) ?? key, mods };
}

/** The name of a chord, or undefined for modifiers that have no name here (hyper, meta). */
export function chordName(chord: Chord): string | undefined {
  if ((chord.mods & ~KNOWN_BITS) !== 0) return undefined;
  const held = [...BITS].filter(([, bit]) => (chord.mods & bit) !== 0).map(([name]) => name);
  return [...held, chord.key].join("+");
}
