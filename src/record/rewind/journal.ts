import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolderBelow, replaceFile } from "../../files/index.ts";
import type { Repo } from "../../git/index.ts";

/** What a rewind does, written down before it is done: whoever finds it can complete it. */
export interface RewindJournal {
  readonly version: 1;
  readonly state: "under way" | "done";
  readonly at: string;
  /** The commit that holds the work tree as it was before. */
  readonly saved: string;
  /** What it goes to: a commit whose tree has the files, and what the user called it. */
  readonly to: string;
  readonly name: string;
  /** All that is changed, as `shownPath` writes them. */
  readonly paths: readonly string[];
}

/** The journal is of one work tree; the others have their own. */
function fileOf({ gitDir }: Repo): string {
  return join(gitDir, "seam", "rewind.json");
}

/** The index files are written through. Never the user's. */
export function privateIndex({ gitDir }: Repo): string {
  return join(gitDir, "seam", "rewind-index");
}

export function readJournal(repo: Repo): RewindJournal | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(fileOf(repo), "utf8"));
    return isJournal(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function writeJournal(repo: Repo, journal: RewindJournal): void {
  const path = fileOf(repo);
  makeFolderBelow(repo.gitDir, dirname(path));
  replaceFile(path, `${JSON.stringify(journal, null, 2)}\n`, { flush: true });
}

function isJournal(value: unknown): value is RewindJournal {
  if (typeof value !== "object" || value === null) return false;
  const { version, state, saved, to, paths } = value as Partial<RewindJournal>;
  return (
    version === 1 &&
    (state === "under way" || state === "done") &&
    typeof saved === "string" &&
    typeof to === "string" &&
    Array.isArray(paths) &&
    paths.every((path) => typeof path === "string")
  );
}
