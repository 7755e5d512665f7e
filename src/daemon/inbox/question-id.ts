import { createHash } from "node:crypto";

/** Short enough to be typed, the same for the same key. */
export function questionId(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}
