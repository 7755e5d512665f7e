import { statSync } from "node:fs";
import { join } from "node:path";
import { readRegular } from "../../files/index.ts";
import type { Repo } from "../repo/repo.ts";
import { isAbsent } from "../run/is-absent.ts";

interface Packed {
  readonly stamp: string;
  readonly bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);
const cache = new Map<string, Packed>();
/** A process looks at a few repositories at a time; the files may have megabytes. */
const KEPT = 8;
/** A million references and more. */
const MOST_BYTES = 512 * 1024 * 1024;

/** The object of a packed reference; undefined when it is not in the list. */
export function readPackedRef(repo: Repo, name: string): string | undefined {
  const bytes = packedRefs(repo);
  const end = Buffer.from(` ${name}\n`);
  for (let at = bytes.indexOf(end); at >= 0; at = bytes.indexOf(end, at + 1)) {
    const start = bytes.lastIndexOf(0x0a, at) + 1;
    const id = bytes.toString("latin1", start, at);
    if (/^[0-9a-f]+$/.test(id)) return id;
  }
  return undefined;
}

/** All packed references whose name starts so. */
export function listPackedRefs(repo: Repo, prefix: string): Map<string, string> {
  const found = new Map<string, string>();
  const bytes = packedRefs(repo);
  const start = Buffer.from(` ${prefix}`);
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
    const id = bytes.toString("latin1", bytes.lastIndexOf(0x0a, at) + 1, at);
    const end = bytes.indexOf(0x0a, at);
    const name = bytes.toString("utf8", at + 1, end < 0 ? bytes.length : end);
    if (/^[0-9a-f]+$/.test(id)) found.set(name, id);
  }
  return found;
}

/** git replaces the file and never changes it, so another file means other content. */
function packedRefs(repo: Repo): Buffer {
  const path = join(repo.commonDir, "packed-refs");
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    const stamp = `${ino}:${size}:${mtimeNs}`;
    const known = cache.get(path);
    if (known?.stamp === stamp) return known.bytes;
    const bytes = readRegular(path, MOST_BYTES);
    cache.delete(path);
    cache.set(path, { stamp, bytes });
    for (const oldest of [...cache.keys()].slice(0, -KEPT)) cache.delete(oldest);
    return bytes;
  } catch (error) {
    if (isAbsent(error)) return NOTHING;
    throw error;
  }
}
