import { readFileSync } from "node:fs";

const DECLARED = [
  /^\s*export\s+const\s+critical\s*(?::[^=]+)?=\s*true\b/m,
  /^\s*(?:module\.)?exports\.critical\s*=\s*true\b/m,
];

/**
 * Whether an extension says of itself that it is critical, without running it: one that cannot be
 * loaded cannot be asked.
 */
export function declaredCritical(path: string): boolean {
  try {
    const source = readFileSync(path, "utf8");
    return DECLARED.some((pattern) => pattern.test(source));
  } catch {
    return false;
  }
}
