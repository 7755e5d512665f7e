import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { statOf } from "./small-file.ts";

/** What nearly every git command opens: of the work tree, and of what all work trees share. */
const OWN = ["HEAD", "index", "commondir", "gitdir", "config.worktree", "info/sparse-checkout"];
const SHARED = [
  ...["config", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts"],
  ...["objects/info/alternates", "objects/info/commit-graph", "objects/pack/multi-pack-index"],
];

/**
 * Throws where git would wait for ever for what nobody writes: a pipe or a device in the place of
 * one of its files.
 */
export function checkFiles(gitDir: string, commonDir: string): void {
  const paths = [
    ...OWN.map((name) => join(gitDir, name)),
    ...SHARED.map((name) => join(commonDir, name)),
  ];
  const unfit = paths.find((path) => {
    const stats = statOf(path);
    return stats !== undefined && !stats.isFile() && !stats.isDirectory();
  });
  if (unfit !== undefined) {
    throw new SeamError("SEAM_FILE_UNFIT", { path: unfit, detail: "it is not a file" });
  }
}
