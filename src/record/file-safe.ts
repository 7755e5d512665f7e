import { createHash } from "node:crypto";

const SAFE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/**
 * A name for files and refs that no id can break out of. Usual ids stay as they are; others get
 * what is readable of them and a hash, so that two ids never share a name.
 */
export function fileSafe(id: string): string {
  if (SAFE.test(id)) return id;
  const readable = id.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40);
  return `x${readable}-${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
}
