import { parse } from "jsonc-parser";
import { isRecord } from "../../values/index.ts";
import { readBytes } from "./config-file.ts";

/** What a file says, for looking only; undefined if it is not there or says nothing sensible. */
export function jsonAt(path: string): unknown {
  try {
    return parse(
      readBytes(path)
        ?.toString()
        .replace(/^\uFEFF/, "") ?? "",
    );
  } catch {
    return undefined;
  }
}

/** The value behind some keys. */
export function dig(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    value,
  );
}
