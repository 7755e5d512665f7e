import { readFileSync } from "node:fs";
import { type Content, pathInCopy, readManifest } from "./copies.ts";

/** A file that is not what it was when it was trusted. Undefined: there was none, or is none. */
export interface FileChange {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** What differs between a copy and what is there now. A copy that is damaged counts as empty. */
export function changesSince(id: string, content: Content): FileChange[] {
  const before = copied(id);
  const paths = [...new Set([...before.keys(), ...content.keys()])].sort();
  return paths
    .map((path) => ({ path, before: before.get(path), after: content.get(path) }))
    .filter(({ before: old, after: now }) => !(old && now && old.equals(now)));
}

function copied(id: string): Map<string, Buffer> {
  try {
    const paths = Object.keys(readManifest(id));
    return new Map(paths.map((path) => [path, readFileSync(pathInCopy(id, path))]));
  } catch {
    return new Map();
  }
}
