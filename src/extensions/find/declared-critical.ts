import { LARGE_FILE, readRegularText } from "../../files/index.ts";
import { entriesIn } from "./entries.ts";
import type { Source } from "./source.ts";

const DECLARED = [
  /^\s*export\s+const\s+critical\s*(?::[^=]+)?=\s*true\b/m,
  /^\s*(?:module\.)?exports\.critical\s*=\s*true\b/m,
];

/**
 * Whether an extension says of itself that it is critical, without running it: one that cannot be
 * loaded cannot be asked.
 */
export function declaredCritical(path: string, text = textOf(path)): boolean {
  return DECLARED.some((pattern) => pattern.test(text));
}

/** The same of one that was found: what was trusted as critical stays so when its file is gone. */
export function isCritical({ path, copy }: Source): boolean {
  return copy?.critical ?? declaredCritical(path);
}

/** The extensions in a folder of extensions that must not be missing. */
export function criticalIn(folder: string): string[] {
  return entriesIn(folder).filter((path) => declaredCritical(path));
}

function textOf(path: string): string {
  try {
    return readRegularText(path, LARGE_FILE);
  } catch {
    return "";
  }
}
