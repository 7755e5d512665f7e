import { join } from "node:path";
import { breather } from "../../files/index.ts";
import { GITLINK, type TreeValue } from "../objects/tree-format.ts";
import { pathBytes, type RawPath } from "../paths/raw-path.ts";
import { isStorable } from "../paths/storable.ts";
import { headOf } from "../refs/head.ts";
import { openRepo } from "../repo/open-repo.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import { git } from "../run/run-git.ts";
import { ownFilters } from "./own-filters.ts";
import { parseStatus, type StatusRecord } from "./parse-status.ts";

export interface WorkChange {
  readonly path: RawPath;
  /** `changed` is also what was only just added; `unmerged` is in conflict. */
  readonly kind: "changed" | "unmerged" | "untracked" | "deleted";
  /** What HEAD has there. */
  readonly before: TreeValue | undefined;
  /** What git takes it for, where it knows; `160000` for another repository inside this one. */
  readonly mode: string | undefined;
  /** The commit that other repository is at. */
  readonly id?: string;
}

export interface WorkScan {
  readonly changes: readonly WorkChange[];
  /** What git could never keep: forbidden names, repositories without a commit. */
  readonly skipped: readonly RawPath[];
}

export interface ScanOptions {
  /** Another index than the user's. It is only read, like the user's own. */
  readonly indexFile?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * What differs between HEAD and the work tree, without ignored files; whatever the index says in
 * between. Files that a sparse checkout leaves out do not count as deleted, and other repositories
 * inside this one (submodules) are one entry each and not looked into. Nothing is written and no
 * lock is taken.
 */
export async function scanWorkTree(repo: Repo, options: ScanOptions = {}): Promise<WorkScan> {
  const { workTree } = repo;
  if (workTree === undefined) return { changes: [], skipped: [] };
  const args = [
    ...[...atRepo(repo), "--work-tree", workTree, "status", "--porcelain=v2", "-z"],
    ...["--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"],
  ];
  const { indexFile: GIT_INDEX_FILE, signal, timeoutMs } = options;
  const env = { GIT_INDEX_FILE };
  const settings = await ownFilters(repo);
  const output = await git(args, { cwd: workTree, env, settings, signal, timeoutMs });
  const changes: WorkChange[] = [];
  const skipped: RawPath[] = [];
  const breathe = breather();
  for (const record of merged(parseStatus(output))) {
    await breathe();
    const change = await changeOf(workTree, record);
    if (change && isStorable(change.path)) changes.push(change);
    else if (change !== null) skipped.push(record.path);
  }
  return { changes, skipped };
}

/** A file that was taken out of the index and is still there has two records. */
function merged(records: readonly StatusRecord[]): Iterable<StatusRecord> {
  const byPath = new Map<RawPath, StatusRecord>();
  for (const record of records) {
    const first = byPath.get(record.path);
    byPath.set(record.path, first ? { ...record, before: first.before } : record);
  }
  return byPath.values();
}

/** Null when nothing changed after all, undefined when it cannot be kept. */
async function changeOf(
  workTree: string,
  { path: shown, kind, before, mode }: StatusRecord,
): Promise<WorkChange | null | undefined> {
  // Untracked folders are listed file by file, except those that are repositories.
  const isRepository = mode === GITLINK || shown.endsWith("/");
  const path = shown.replace(/\/$/, "") as RawPath;
  if (isRepository) {
    const id = await commitAt(join(workTree, pathBytes(path).toString()));
    if (id === undefined) return undefined;
    const change = kind === "tracked" ? "changed" : kind;
    return { path, kind: change, before, mode: GITLINK, id };
  }
  if (kind === "untracked") {
    return { path, kind: before ? "changed" : "untracked", before, mode };
  }
  if (mode === undefined) return before ? { path, kind: "deleted", before, mode } : null;
  return { path, kind: kind === "tracked" ? "changed" : kind, before, mode };
}

async function commitAt(folder: string): Promise<string | undefined> {
  try {
    const inner = await openRepo(folder);
    return inner && (await headOf(inner)).commit;
  } catch {
    return undefined;
  }
}
