import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import type { Repo } from "../repo/repo.ts";
import { loosePath } from "./loose-path.ts";
import { type ObjectType, objectIdOf } from "./object-id.ts";

/** Commits and most trees are far smaller; what is bigger is git's to read. */
const MOST_BYTES = 1024 * 1024;

const TYPES: ReadonlySet<string> = new Set<ObjectType>(["blob", "tree", "commit", "tag"]);

/**
 * An object that has a file of its own, as it has right after it was written, read without a process.
 * Undefined: it is in a pack, big or damaged, and git knows better.
 */
export function readLoose(
  repo: Repo,
  id: string,
): { readonly type: ObjectType; readonly content: Buffer } | undefined {
  try {
    const file = readFileSync(loosePath(repo, id));
    const whole = inflateSync(file, { maxOutputLength: MOST_BYTES });
    const end = whole.indexOf(0);
    const type = whole.toString("latin1", 0, end).split(" ")[0] ?? "";
    const content = whole.subarray(end + 1);
    if (!isType(type) || objectIdOf(repo.objectFormat, type, content) !== id) return undefined;
    return { type, content };
  } catch {
    return undefined;
  }
}

function isType(text: string): text is ObjectType {
  return TYPES.has(text);
}
