import { SeamError } from "../../errors/index.ts";
import { atRepo, commitFacts, git } from "../../git/index.ts";
import { findCheckpoints, type RepoRecord, turnNamed } from "../../record/index.ts";
import type { Diff } from "../api-history.ts";

/** What a page can show. */
const MOST_DIFF = 2 * 1024 * 1024;
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

export interface DiffWish {
  readonly checkpoint?: string;
  readonly turn?: string;
  readonly commit?: string;
}

/** What a checkpoint's commit, a turn or a commit changed. */
export async function diffOf(record: RepoRecord, wish: DiffWish): Promise<Diff> {
  const [from, to] = await sidesOf(record, wish);
  const args = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", from, to];
  const { repo } = record;
  const text = await git([...atRepo(repo), ...args], { cwd: repo.workTree ?? repo.gitDir });
  return cut(text.toString());
}

export function cut(diff: string): Diff {
  if (diff.length <= MOST_DIFF) return { diff };
  return { diff: diff.slice(0, diff.lastIndexOf("\n", MOST_DIFF)), of: diff.length };
}

async function sidesOf({ store }: RepoRecord, wish: DiffWish): Promise<[string, string]> {
  if (wish.turn !== undefined) {
    const turn = await turnNamed(store, wish.turn);
    const [start, end] = [turn?.start, turn?.end];
    if (start && end) return [start.tree, end.tree];
    throw new SeamError("SEAM_RECORD_NOT_FOUND", { name: wish.turn });
  }
  const name = wish.commit ?? (await commitBehind({ store }, wish.checkpoint ?? ""));
  const commit = /[\n\0]/.test(name)
    ? undefined
    : await commitFacts(store, name).catch(() => undefined);
  if (!commit) throw new SeamError("SEAM_RECORD_NOT_FOUND", { name });
  return [commit.parents[0] ?? EMPTY_TREE, commit.id];
}

async function commitBehind({ store }: Pick<RepoRecord, "store">, id: string): Promise<string> {
  const { checkpoints, commit } = await findCheckpoints(store, id);
  const named = commit?.id ?? checkpoints[0]?.metadata.commit_sha;
  if (named === undefined) throw new SeamError("SEAM_REWIND_NO_STATE", { name: id });
  return named;
}
