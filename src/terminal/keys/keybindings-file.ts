import { isRecord } from "../../values/index.ts";
import { isKeybinding, type Keybinding } from "./default-keys.ts";
import { isKeyId, type KeyId } from "./key-id.ts";

export interface ReadKeybindings {
  readonly keys: Readonly<Partial<Record<Keybinding, readonly KeyId[]>>>;
  /** What of the file is not used, and why. */
  readonly problems: readonly string[];
}

/**
 * Reads one of Pi's keybindings files: actions by name, with a key or several. What is wrong is left
 * out; an action for which nothing right is left keeps its usual keys, so that a mistake takes none away.
 */
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
    if (!isKeybinding(action)) {
      problems.push(`There is no action "${action}".`);
      continue;
    }
    const wanted = Array.isArray(given) ? given : [given];
    const right = wanted.filter((key): key is KeyId => typeof key === "string" && isKeyId(key));
    const wrong = wanted.filter((key) => !right.includes(key));
    for (const key of wrong) problems.push(`"${action}": ${JSON.stringify(key)} is no key.`);
    if (right.length > 0 || wrong.length === 0) keys[action] = right;
  }
  return { keys, problems };
}
