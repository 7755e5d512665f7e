import { isRecord } from "../../values/index.ts";
import { DEFAULT_KEYS, type Keybinding } from "./default-keys.ts";
import type { KeyId } from "./key-id.ts";

export interface ReadKeybindings {
  readonly keys: Readonly<Partial<Record<Keybinding, readonly KeyId[]>>>;
  /** What of the file is not used, and why. */
  readonly problems: readonly string[];
}

/** Reads one of Pi's keybindings files: actions by name, with a key or several. What is wrong is left out. */
export function readKeybindings(text: string): ReadKeybindings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { keys: {}, problems: [thrown instanceof Error ? thrown.message : String(thrown)] };
  }
  if (!isRecord(value)) return { keys: {}, problems: ["It has to be one object."] };
  const keys: Partial<Record<Keybinding, readonly KeyId[]>> = {};
  const problems: string[] = [];
  for (const [action, given] of Object.entries(value)) {
    if (!isAction(action)) {
      problems.push(`There is no action "${action}".`);
      continue;
    }
    const wanted = Array.isArray(given) ? given : [given];
    const wrong = wanted.find((key) => typeof key !== "string" || !isKey(key));
    if (wrong !== undefined) problems.push(`"${action}": ${JSON.stringify(wrong)} is no key.`);
    keys[action] = wanted.filter((key): key is KeyId => typeof key === "string" && isKey(key));
  }
  return { keys, problems };
}

function isAction(name: string): name is Keybinding {
  return Object.hasOwn(DEFAULT_KEYS, name);
}

const KEY =
  /^(?:(?:ctrl|shift|alt|super)\+)*(?:esc|escape|enter|return|tab|space|backspace|delete|insert|clear|home|end|page(?:up|down)|up|down|left|right|f\d{1,2}|[!-~])$/i;

function isKey(text: string): text is KeyId {
  return KEY.test(text);
}
