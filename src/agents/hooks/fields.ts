import { isRecord } from "../../values/index.ts";

/** Reading what came from outside, where nothing is certain to be there or of the right kind. */

export type Json = Record<string, unknown>;

/** Where a field may be: "tool_input", "event.toolName". The first that is there counts. */
export type Paths = readonly string[];

export function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** Paths come from tables: there are few, and each is asked for at every hook. */
const keysOf = new Map<string, readonly string[]>();

function at(value: unknown, path: string): unknown {
  let here = value;
  let keys = keysOf.get(path);
  if (!keys) {
    keys = path.split(".");
    keysOf.set(path, keys);
  }
  for (const key of keys) {
    if (!isRecord(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

export function valueAt(payload: unknown, paths: Paths = []): unknown {
  for (const path of paths) {
    const value = at(payload, path);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** A text that says something. */
export function textAt(payload: unknown, paths: Paths = []): string | undefined {
  for (const path of paths) {
    const value = at(payload, path);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The object with only those fields that are known. */
export function known<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const found: Partial<Record<keyof T, unknown>> = {};
  for (const key in fields) if (fields[key] !== undefined) found[key] = fields[key];
  return found as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** What a text says as JSON, if it is an object. */
export function parsedRecord(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A value as JSON. It never throws: what cannot be written (nested too deep) is nothing. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
