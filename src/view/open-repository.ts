import { existsSync } from "node:fs";
import { SeamError } from "../errors/index.ts";
import { headOf, openRepo, type Repo } from "../git/index.ts";
import {
  isEnabled,
  openRepoRecord,
  type RepoRecord,
  recordRefusal,
  rememberedRepositories,
} from "../record/index.ts";
import type { RepositoryCard } from "./api-history.ts";

/** The work tree that a folder is in, if it is there and in one. */
export async function repositoryOf(folder: string): Promise<Repo | undefined> {
  if (!existsSync(folder)) return undefined;
  return openRepo(folder).catch(() => undefined);
}

/**
 * Works with the record of a repository that Seam knows: one that is recorded, or one in which an
 * agent was heard of. The page names it by its folder, and by no other.
 */
export async function withRepository<T>(
  path: string,
  live: readonly string[],
  work: (record: RepoRecord) => Promise<T>,
): Promise<T> {
  const repo = (await isKnown(path, live)) ? await repositoryOf(path) : undefined;
  if (!repo) throw new SeamError("SEAM_VIEW_REPOSITORY", { path });
  const refusal = await recordRefusal(repo, { refs: true });
  if (refusal) throw refusal;
  const record = openRepoRecord(repo);
  try {
    return await work(record);
  } finally {
    await record.store.close();
  }
}

async function isKnown(path: string, live: readonly string[]): Promise<boolean> {
  if (rememberedRepositories().some(({ workTree }) => workTree === path)) return true;
  for (const folder of live) {
    const repo = folder === path ? undefined : await repositoryOf(folder);
    if (folder === path || repo?.workTree === path) return true;
  }
  return false;
}

/** All of them, with those in which an agent works right now. */
export async function listRepositories(live: readonly string[]): Promise<RepositoryCard[]> {
  const paths = new Set(rememberedRepositories().map(({ workTree }) => workTree));
  for (const folder of live) {
    const repo = await repositoryOf(folder);
    if (repo?.workTree !== undefined) paths.add(repo.workTree);
  }
  const cards = (await Promise.all([...paths].map(cardOf))).filter((card) => card !== undefined);
  return cards.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Undefined if it is not there any more: nothing of it could be shown. */
async function cardOf(path: string): Promise<RepositoryCard | undefined> {
  const name = path.split("/").findLast((part) => part !== "") ?? path;
  const repo = await repositoryOf(path);
  if (!repo) return undefined;
  const branch = await branchOf(repo);
  return { path, name, isRecorded: isEnabled(repo), ...(branch !== undefined && { branch }) };
}

export async function branchOf(repo: Repo): Promise<string | undefined> {
  const head = await headOf(repo).catch(() => undefined);
  return head?.branch;
}
