import { pathBytes, type RawPath } from "../paths/raw-path.ts";

/** Where a path is on the disk; bytes, because Node would decode a string. */
export function workPath(workTree: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${workTree}/`), pathBytes(path)]);
}
