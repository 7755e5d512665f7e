import { ESC } from "../text/escapes.ts";
import { chordName, parseChord } from "./chord.ts";
import type { KeyId } from "./key-id.ts";
import { readings } from "./readings.ts";

const EVENT = new RegExp(`${ESC}\\[[\\d:;]*;\\d*:([23])[u~A-FHPQS]`);
const PASTE_START = `${ESC}[200~`;

/**
 * Whether the input is this key. Releases match too, so that a component that asked for them can
 * tell which key went up; see `isKeyRelease`.
 *
 * @example matchesKey(data, "ctrl+c")
 */
export function matchesKey(data: string, keyId: KeyId): boolean {
  const wanted = parseChord(keyId);
  if (!wanted) return false;
  return readings(data).some(
    ({ key, mods }) => mods === wanted.mods && key.toLowerCase() === wanted.key,
  );
}

/** The name of the key the input stands for, if it is one. */
export function parseKey(data: string): string | undefined {
  // A capital letter keeps its case: callers insert what they get.
  if (/^[!-~]$/.test(data)) return data;
  const [first] = readings(data);
  return first && chordName(first);
}

/** Whether the input reports a key going up (Kitty protocol only). */
export function isKeyRelease(data: string): boolean {
  return eventType(data) === "3";
}

/** Whether the input reports a key that is held down (Kitty protocol only). */
export function isKeyRepeat(data: string): boolean {
  return eventType(data) === "2";
}

function eventType(data: string): string | undefined {
  // Pasted text may contain anything, also what looks like a key event.
  return data.includes(PASTE_START) ? undefined : EVENT.exec(data)?.[1];
}
