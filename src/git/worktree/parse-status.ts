import { FOLDER, type TreeValue } from "../objects/tree-format.ts";
import type { RawPath } from "../paths/raw-path.ts";

/** One record of `git status --porcelain=v2 -z`. */
export interface StatusRecord {
  readonly path: RawPath;
  readonly kind: "tracked" | "unmerged" | "untracked";
  /** What HEAD has there. */
  readonly before: TreeValue | undefined;
  /** What the work tree has there, where git knows it; undefined when nothing. */
  readonly mode: string | undefined;
}

/** Renames must be off: they would have a second path. */
export function parseStatus(output: Buffer): StatusRecord[] {
  const records = output.toString("latin1").split("\0");
  return records.flatMap((record) => parseRecord(record) ?? []);
}

function parseRecord(record: string): StatusRecord | undefined {
  // 1 XY sub mH mI mW hH hI path
  // u XY sub m1 m2 m3 mW h1 h2 h3 path
  const fields = record.split(" ");
  const path = (count: number) => fields.slice(count).join(" ") as RawPath;
  const value = (mode?: string, id?: string) => treeValue(mode, id);
  switch (fields[0]) {
    case "1":
      return {
        path: path(8),
        kind: "tracked",
        before: value(fields[3], fields[6]),
        mode: value(fields[5], "")?.mode,
      };
    case "u":
      // The second stage is the side of HEAD.
      return {
        path: path(10),
        kind: "unmerged",
        before: value(fields[4], fields[8]),
        mode: value(fields[6], "")?.mode,
      };
    case "?":
      return { path: path(1), kind: "untracked", before: undefined, mode: undefined };
    default:
      return undefined;
  }
}

function treeValue(mode = "000000", id = ""): TreeValue | undefined {
  if (/^0+$/.test(mode)) return undefined;
  return { mode: mode === "040000" ? FOLDER : mode, id };
}
