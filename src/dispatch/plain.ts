/**
 * Copies and comparisons of plain data. Strings are shared and anything that is not a plain
 * object or array is kept by reference, so copying a conversation does not copy its text.
 */

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Below this nothing is copied or compared any more: no honest data is that deep. */
const DEEPEST = 500;

export function copyPlain<T>(value: T): T;
export function copyPlain(value: unknown): unknown {
  return isFlat(value) ? { ...value } : copy(value, new Map(), 0);
}

/** Most inputs are: one object full of strings. Copying it needs no book-keeping. */
function isFlat(value: unknown): value is Record<string, unknown> {
  if (!isPlainObject(value) || Object.hasOwn(value, "__proto__")) return false;
  for (const key in value) if (typeof value[key] === "object") return false;
  return true;
}

function copy(value: unknown, known: Map<object, unknown>, depth: number): unknown {
  const isArray = Array.isArray(value);
  if ((!isArray && !isPlainObject(value)) || depth > DEEPEST) return value;
  const earlier = known.get(value);
  if (earlier) return earlier;
  if (isArray) {
    const result: unknown[] = new Array(value.length);
    known.set(value, result);
    for (let i = 0; i < value.length; i++) result[i] = copy(value[i], known, depth + 1);
    return result;
  }
  const result: Record<string, unknown> = {};
  known.set(value, result);
  for (const key of Object.keys(value)) setOwn(result, key, copy(value[key], known, depth + 1));
  return result;
}

/** Assigning to `__proto__` would change the prototype instead of adding a key. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}

/** Whether two plain values are equal. */
export function samePlain(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (depth > DEEPEST) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => samePlain(item, b[i], depth + 1));
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && samePlain(a[key], b[key], depth + 1));
}

/** A plain value that is copied and compared again and again: what kind it is, is found out once. */
export class Original {
  readonly #value: unknown;
  readonly #flat: Readonly<Record<string, unknown>> | undefined;

  constructor(value: unknown) {
    this.#value = value;
    this.#flat = isFlat(value) ? value : undefined;
  }

  copy(): unknown {
    return this.#flat ? { ...this.#flat } : copyPlain(this.#value);
  }

  equals(other: unknown): boolean {
    const flat = this.#flat;
    if (flat && isPlainObject(other) && sameFlat(flat, other)) return true;
    return samePlain(this.#value, other);
  }
}

/**
 * Most values that are compared are equal, and most are flat: said without an array of keys. False
 * only means that it takes a closer look.
 */
function sameFlat(a: Readonly<Record<string, unknown>>, b: Record<string, unknown>): boolean {
  let keys = 0;
  for (const key in a) {
    const value = a[key];
    // What may be inherited is looked at more closely.
    if (value === undefined || typeof value === "function" || value !== b[key]) return false;
    keys++;
  }
  for (const _ in b) keys--;
  return keys === 0;
}

/** Freezes plain data all the way down. */
export function freezePlain<T>(value: T, depth = 0): T {
  const isPlain = Array.isArray(value) || isPlainObject(value);
  if (isPlain && !Object.isFrozen(value) && depth <= DEEPEST) {
    Object.freeze(value);
    for (const item of Object.values(value)) freezePlain(item, depth + 1);
  }
  return value;
}

/** Why something an extension made cannot be stored or sent on. */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

const MOST_NODES = 5_000_000;
const MOST_CHARACTERS = 256 * 1024 * 1024;

/**
 * A copy of what an extension made, read once: whatever it still does to its own object, and
 * whatever its getters say next time, does not matter any more. Throws Unusable.
 */
export function takePlain(value: unknown): unknown {
  let nodes = 0;
  let characters = 0;
  const open = new Set<object>();
  const done = new Map<object, unknown>();

  const take = (item: unknown): unknown => {
    if (typeof item === "string") {
      characters += item.length;
      if (characters > MOST_CHARACTERS) throw new Unusable("it is too large");
      return item;
    }
    if (typeof item === "bigint") throw new Unusable("it contains a bigint");
    const isArray = Array.isArray(item);
    if (!isArray && !isPlainObject(item)) return item;
    if (open.has(item)) throw new Unusable("it contains itself");
    const earlier = done.get(item);
    if (earlier) return earlier;
    if (++nodes > MOST_NODES) throw new Unusable("it is too large");
    if (open.size > DEEPEST) throw new Unusable("it is nested too deeply");
    open.add(item);
    let result: unknown[] | Record<string, unknown>;
    if (isArray) {
      result = Array.from(item, take);
    } else {
      result = {};
      for (const key of Object.keys(item)) setOwn(result, key, take(item[key]));
    }
    open.delete(item);
    done.set(item, result);
    return result;
  };
  return take(value);
}

/** Whether something is nested deeper than it is copied and frozen. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (!Array.isArray(value) && !isPlainObject(value)) return false;
  return depth > DEEPEST || Object.values(value).some((item) => isTooDeep(item, depth + 1));
}
