/**
 * Copies and comparisons of plain data. Strings are shared and anything that is not a plain
 * object or array is kept by reference, so copying a conversation does not copy its text.
 */

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function copyPlain<T>(value: T): T;
export function copyPlain(value: unknown): unknown {
  return copy(value, undefined);
}

function copy(value: unknown, seen: Map<object, unknown> | undefined, depth = 0): unknown {
  const isArray = Array.isArray(value);
  if (!isArray && !isPlainObject(value)) return value;
  // Cycles are rare and a map is not free: look for them only once it gets suspiciously deep.
  const known = seen ?? (depth > 16 ? new Map<object, unknown>() : undefined);
  const earlier = known?.get(value as object);
  if (earlier) return earlier;
  if (isArray) {
    const result: unknown[] = new Array(value.length);
    known?.set(value, result);
    for (let i = 0; i < value.length; i++) result[i] = copy(value[i], known, depth + 1);
    return result;
  }
  const result: Record<string, unknown> = {};
  known?.set(value, result);
  for (const key of Object.keys(value)) result[key] = copy(value[key], known, depth + 1);
  return result;
}

/** Whether two plain values are equal. Deep nesting counts as different. */
export function samePlain(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (depth > 200) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => samePlain(item, b[i], depth + 1));
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && samePlain(a[key], b[key], depth + 1));
}

/** Freezes plain data all the way down. */
export function freezePlain<T>(value: T): T {
  if ((Array.isArray(value) || isPlainObject(value)) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freezePlain(item);
  }
  return value;
}

const MAX_NODES = 5_000_000;
const MAX_CHARACTERS = 256 * 1024 * 1024;

/** Why a value cannot be stored or sent on, or undefined if it can. */
export function unusable(value: unknown): string | undefined {
  let nodes = 0;
  let characters = 0;
  const path = new Set<object>();

  const visit = (item: unknown): string | undefined => {
    if (typeof item === "string") {
      characters += item.length;
      return characters > MAX_CHARACTERS ? "it is too large" : undefined;
    }
    if (typeof item === "bigint") return "it contains a bigint";
    if (!Array.isArray(item) && !isPlainObject(item)) return undefined;
    if (++nodes > MAX_NODES) return "it is too large";
    if (path.has(item)) return "it contains itself";
    if (path.size > 1000) return "it is nested too deeply";
    path.add(item);
    for (const child of Object.values(item)) {
      const problem = visit(child);
      if (problem) return problem;
    }
    path.delete(item);
    return undefined;
  };
  return visit(value);
}
