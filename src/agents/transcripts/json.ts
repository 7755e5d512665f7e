import { isRecord } from "../../values/index.ts";

/** Careful looks at parsed JSON: what has another shape than expected is simply not there. */

export type Json = Readonly<Record<string, unknown>>;

const NONE: Json = Object.freeze({});

/** An object; empty if it is none. */
export function record(value: unknown): Json {
  return isRecord(value) ? value : NONE;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A number of tokens; 0 if it is none. */
export function count(value: unknown): number {
  const rounded = typeof value === "number" ? Math.round(value) : 0;
  return Number.isSafeInteger(rounded) && rounded > 0 ? rounded : 0;
}

/** An amount of money; undefined if there is none, or it is 0, which agents write for "unknown". */
export function amount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** The parsed text; undefined if it is not JSON. */
export function parsed(value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The object without the keys that have no value: optional fields may be absent, not undefined. */
export function compact<T extends object>(value: T): Compact<T> {
  for (const key of Object.keys(value) as (keyof T)[]) {
    if (value[key] === undefined) delete value[key];
  }
  return value as Compact<T>;
}

type Compact<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
