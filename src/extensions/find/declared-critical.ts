import { LARGE_FILE, readRegularText } from "../../files/index.ts";
import { entriesIn } from "./entries.ts";
import type { Source } from "./source.ts";

// Anybody may have written the text: no part of a pattern runs on over lines without an end.
const DECLARED = [
  /^[^\S\n]*export\s+const\s+critical\s*(?::[^=\n]{1,100})?=\s*true\b/m,
  /^[^\S\n]*(?:module\.)?exports\.critical\s*=\s*true\b/m,
];

/**
 * Whether an extension says of itself that it is critical, without running it: one that cannot be
 * loaded cannot be asked.
 */
export function declaredCritical(path: string, text = textOf(path) ?? ""): boolean {
  return DECLARED.some((pattern) => pattern.test(text));
}

/** The same of one that was found: what was trusted as critical stays so when its file is gone. */
export function isCritical({ path, copy, changed }: Source, text?: string): boolean {
  return copy?.critical ?? (changed?.critical || declaredCritical(path, text));
}

/** The extensions in a folder of extensions that must not be missing. */
export function criticalIn(folder: string): string[] {
  return entriesIn(folder).filter((path) => declaredCritical(path));
}

/** What a file says; undefined if it cannot be read. */
export function textOf(path: string): string | undefined {
  try {
    return readRegularText(path, LARGE_FILE);
  } catch {
    return undefined;
  }
}
