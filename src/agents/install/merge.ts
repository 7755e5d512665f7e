import { isDeepStrictEqual } from "node:util";
import { getNodeValue, type Node } from "jsonc-parser";
import type { Mine, Shape } from "./handler-list.ts";
import { insertLast, insertRoot, removeItem, replaceValue } from "./json-edit.ts";
import { entriesOf, type JsonText, parseJsonText, valueAt } from "./json-text.ts";

/** What should be in a file: by event, the item of its list. */
export interface Wanted {
  readonly entries: ReadonlyMap<string, unknown>;
  /** What the file has to say beside its hooks. */
  readonly top: Readonly<Record<string, unknown>>;
}

/** More than any file needs: a bound, should one change ever undo another. */
const MOST_CHANGES = 1000;

/** Why entries cannot be put into a file. */
export class NoPlace extends Error {}

/** The text with Seam's entries as they should be; all that is not Seam's stays as it is. */
export function withEntries(json: JsonText, shape: Shape, wanted: Wanted): string {
  return untilDone(json, (now) => nextInstall(now, shape, wanted));
}

/**
 * The text without Seam's entries. What is empty then goes too, unless it was there before Seam
 * came. Undefined: nothing is left.
 */
export function withoutEntries(
  json: JsonText,
  shape: Shape,
  top: Wanted["top"],
  wasThere: (path: readonly string[]) => boolean,
): string | undefined {
  const text = untilDone(json, (now) => nextRemoval(now, shape, wasThere));
  if (text === json.text) return text;
  const rest = untilDone(parsed(text), (now) => nextLeftover(now, top, wasThere));
  return rest.trim() === "{}" && !wasThere([]) ? undefined : rest;
}

/** Whether anything of Seam's is in it. */
export function hasEntries(json: JsonText, shape: Shape): boolean {
  return lists(json).some(([, list]) => shape.mine(list).length > 0);
}

/** One change at a time, each on the text the one before made: no offset is ever out of date. */
function untilDone(json: JsonText, next: (now: JsonText) => string | undefined): string {
  let now = json;
  for (let left = MOST_CHANGES; left > 0; left--) {
    const text = next(now);
    if (text === undefined) return now.text;
    now = parsed(text);
  }
  throw new NoPlace("it does not keep what is put into it");
}

function parsed(text: string): JsonText {
  const json = parseJsonText(text);
  if ("what" in json) throw new NoPlace(`a change would have broken it (${json.what})`);
  return json;
}

function nextInstall(json: JsonText, shape: Shape, wanted: Wanted): string | undefined {
  const { text, root } = json;
  const all = Object.fromEntries([...wanted.entries].map(([event, entry]) => [event, [entry]]));
  if (!root) return insertRoot(text, { ...wanted.top, hooks: all });
  if (root.type !== "object") throw new NoPlace("it is not an object");
  for (const [key, value] of Object.entries(wanted.top)) {
    if (!valueAt(root, key)) return insertLast(text, root, value, key);
  }
  const hooks = valueAt(root, "hooks");
  if (!hooks) return insertLast(text, root, all, "hooks");
  if (hooks.type !== "object") throw new NoPlace('"hooks" is not an object');
  for (const [event, list] of lists(json)) {
    const change = nextCorrection(text, shape.mine(list), wanted.entries.get(event));
    if (change !== undefined) return change;
  }
  for (const [event, entry] of wanted.entries) {
    const list = valueAt(hooks, event);
    if (!list) return insertLast(text, hooks, [entry], event);
    if (list.type !== "array") throw new NoPlace(`"hooks.${event}" is not a list`);
    if (shape.mine(list).length === 0) return insertLast(text, list, entry);
  }
  return undefined;
}

/** An old entry is replaced where it stands; what is there twice, or no longer wanted, goes. */
function nextCorrection(text: string, mine: readonly Mine[], entry: unknown): string | undefined {
  const [first, ...more] = mine;
  const superfluous = entry === undefined ? first : more[0];
  if (superfluous) return removeItem(text, superfluous.container, superfluous.node);
  if (!first) return undefined;
  const wanted = first.wanted(entry);
  // Through text, because the parser's objects have no prototype.
  const now: unknown = JSON.parse(JSON.stringify(getNodeValue(first.node)));
  const same = isDeepStrictEqual(now, wanted);
  return same ? undefined : replaceValue(text, first.node, wanted);
}

function nextRemoval(
  json: JsonText,
  shape: Shape,
  wasThere: (path: readonly string[]) => boolean,
): string | undefined {
  for (const [event, list] of lists(json)) {
    const [mine] = shape.mine(list);
    if (!mine) continue;
    const isLast = mine.container === list && list.children?.length === 1;
    const property = list.parent;
    const hooks = property?.parent;
    if (!isLast || !hooks || !property || wasThere(["hooks", event])) {
      return removeItem(json.text, mine.container, mine.node);
    }
    const outer = hooks.parent;
    if (hooks.children?.length === 1 && outer?.parent && !wasThere(["hooks"])) {
      return removeItem(json.text, outer.parent, outer);
    }
    return removeItem(json.text, hooks, property);
  }
  return undefined;
}

/** What Seam had put beside the hooks, once there are no hooks left. */
function nextLeftover(
  { text, root }: JsonText,
  top: Wanted["top"],
  wasThere: (path: readonly string[]) => boolean,
): string | undefined {
  if (!root || entriesOf(valueAt(root, "hooks")).length > 0) return undefined;
  for (const [key, value] of Object.entries(top)) {
    const node = valueAt(root, key);
    const property = node?.parent;
    if (!property || wasThere([key]) || getNodeValue(node) !== value) continue;
    return removeItem(text, root, property);
  }
  return undefined;
}

/** The lists of all events, also of those Seam does not know. */
function lists({ root }: JsonText): [event: string, list: Node][] {
  return entriesOf(valueAt(root, "hooks")).filter(([, list]) => list.type === "array");
}
