import { isRecord } from "../../values/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The record at a path of fields; an empty one where there is none. */
export function at(value: unknown, ...path: readonly string[]): Fields {
  const found = path.reduce<unknown>((one, key) => (isRecord(one) ? one[key] : undefined), value);
  return isRecord(found) ? found : {};
}

/** The records in a list; none where there is no list. */
export function recordsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The sum of those fields that are numbers. */
export function sumOf(fields: Fields, ...names: readonly string[]): number {
  return names.reduce((sum, name) => sum + numberIn(fields[name]), 0);
}

export function numberIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
