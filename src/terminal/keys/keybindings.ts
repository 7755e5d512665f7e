import { DEFAULT_KEYS, type Keybinding } from "./default-keys.ts";
import type { KeyId } from "./key-id.ts";
import { isKeyRelease, matchesKey } from "./match.ts";

/** Which keys trigger which action: the defaults, changed by what the user set. */
export class KeybindingsManager {
  readonly #changed: Readonly<Partial<Record<Keybinding, readonly KeyId[]>>>;

  constructor(changed: Readonly<Partial<Record<Keybinding, readonly KeyId[]>>> = {}) {
    this.#changed = changed;
  }

  /** Whether the input triggers the action. Letting a key go never triggers anything. */
  matches(data: string, keybinding: Keybinding): boolean {
    if (isKeyRelease(data)) return false;
    return this.getKeys(keybinding).some((key) => matchesKey(data, key));
  }

  getKeys(keybinding: Keybinding): KeyId[] {
    // An extension may name an action this table does not know; it then simply has no keys.
    return [...(this.#changed[keybinding] ?? DEFAULT_KEYS[keybinding] ?? [])];
  }
}

let current = new KeybindingsManager();

/** The bindings every component listens to. */
export function getKeybindings(): KeybindingsManager {
  return current;
}

export function setKeybindings(keybindings: KeybindingsManager): void {
  current = keybindings;
}
