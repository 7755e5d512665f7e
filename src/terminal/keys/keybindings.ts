import type { KeyId } from "./key-id.ts";
import { isKeyRelease, matchesKey } from "./match.ts";
import {
  KEYBINDINGS,
  type KeybindingDefinition,
  type KeybindingDefinitions,
} from "./tui-keybindings.ts";

type Keys = KeyId | readonly KeyId[];

/** What a user set, by the names of actions. */
export type KeybindingsConfig = Readonly<Record<string, Keys | undefined>>;

/**
 * Which keys trigger which action: the defaults, changed by what the user set. Extensions may make
 * one of their own, with actions of their own.
 */
export class KeybindingsManager {
  readonly #definitions: KeybindingDefinitions;
  #changed: KeybindingsConfig;

  constructor(definitions: KeybindingDefinitions = KEYBINDINGS, changed: KeybindingsConfig = {}) {
    this.#definitions = definitions;
    this.#changed = changed;
  }

  /** Whether the input triggers the action. Letting a key go never triggers anything. */
  matches(data: string, keybinding: string): boolean {
    if (isKeyRelease(data)) return false;
    return this.getKeys(keybinding).some((key) => matchesKey(data, key));
  }

  /** None for an action that nobody defined. */
  getKeys(keybinding: string): KeyId[] {
    const definition = this.getDefinition(keybinding);
    return definition ? listed(this.#changed[keybinding] ?? definition.defaultKeys) : [];
  }

  getDefinition(keybinding: string): KeybindingDefinition | undefined {
    return Object.hasOwn(this.#definitions, keybinding) ? this.#definitions[keybinding] : undefined;
  }

  /** Keys that the user gave to several actions. */
  getConflicts(): { key: KeyId; keybindings: string[] }[] {
    const byKey = new Map<KeyId, Set<string>>();
    for (const [name, keys = []] of Object.entries(this.#changed)) {
      if (!this.getDefinition(name)) continue;
      for (const key of listed(keys)) byKey.set(key, (byKey.get(key) ?? new Set()).add(name));
    }
    return [...byKey].flatMap(([key, names]) =>
      names.size > 1 ? [{ key, keybindings: [...names] }] : [],
    );
  }

  setUserBindings(changed: KeybindingsConfig): void {
    this.#changed = changed;
  }

  getUserBindings(): KeybindingsConfig {
    return { ...this.#changed };
  }

  /** All actions with the keys they have now. */
  getResolvedBindings(): KeybindingsConfig {
    const resolved = Object.keys(this.#definitions).map((name) => {
      const keys = this.getKeys(name);
      return [name, keys.length === 1 ? keys[0] : keys] as const;
    });
    return Object.fromEntries(resolved);
  }
}

function listed(keys: Keys): KeyId[] {
  return typeof keys === "string" ? [keys] : [...new Set(keys)];
}

let current = new KeybindingsManager();

/** The bindings every component listens to. */
export function getKeybindings(): KeybindingsManager {
  return current;
}

export function setKeybindings(keybindings: KeybindingsManager): void {
  current = keybindings;
}
