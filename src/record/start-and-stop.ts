import type { Level } from "../agents/index.ts";
import { openRepo, type Repo } from "../git/index.ts";
import {
  hasGitHooks,
  installGitHooks,
  removeGitHooks,
  removeOwnGitHooks,
} from "./git-hooks/install.ts";
import type { GitHookName } from "./git-hooks/script.ts";
import {
  forgetRepository,
  isMeantByEvery,
  type KnownRepository,
  rememberedRepositories,
  rememberRepository,
  setRecordsEveryRepository,
} from "./known-repositories.ts";
import {
  checkRecordable,
  disableRecord,
  type Ended,
  enableRecord,
  endRecord,
  endUserRecord,
  isEnabled,
  isLeftOut,
  isRepositoryEnabled,
  leaveOut,
  recordedWorkTrees,
  removeEmptyRecord,
  workTrees,
} from "./seam-dir.ts";

/** Begins to record a repository; returns the git hooks that were not in place. */
export async function startRecord(repo: Repo, level: Level = "project"): Promise<GitHookName[]> {
  checkRecordable(repo);
  const wasOn = isRepositoryEnabled(repo);
  try {
    enableRecord(repo, level);
    rememberRepository(repo);
    return await installGitHooks(repo);
  } catch (error) {
    // Half of it would be worse than nothing: the user was told that it failed.
    if (!wasOn) await undoStart(repo);
    throw error;
  }
}

async function undoStart(repo: Repo): Promise<void> {
  try {
    await endRecord(repo);
    await takeOut(repo);
  } catch {
    // What kept it from being written keeps it from being removed; the first reason is said.
  }
}

/**
 * Ends the record where the user is. The other work trees of the repository stay recorded if they
 * were enabled, and so does everything else where every repository is recorded.
 */
export async function stopRecord(repo: Repo): Promise<Ended> {
  const isEvery = !isRepositoryEnabled(repo) && isMeantByEvery(repo) && !isLeftOut(repo);
  const ended = isEvery ? "work tree" : await disableRecord(repo);
  // The next hook of an agent would begin it again.
  if (isEvery || (ended === "repository" && isMeantByEvery(repo))) leaveOut(repo);
  if (ended === "repository") await takeOut(repo);
  else if (ended === "nothing") return (await takeOutLeft(repo)) ? "repository" : ended;
  else if ((await recordedWorkTrees(repo)).length === 0) await removeHooks(repo);
  else await removeOwnGitHooks(repo);
  return ended;
}

/** What became of one repository when the record of all of them was ended. */
export interface Stopped extends KnownRepository {
  /** "gone": it was moved or deleted since, and is forgotten. */
  readonly how: "ended" | "gone" | "failed";
  readonly error?: unknown;
}

/** Ends the record of every repository that is recorded. */
export async function stopEveryRecord(): Promise<Stopped[]> {
  setRecordsEveryRepository(false);
  return eachRemembered(async (repo) => {
    const isOn = isRepositoryEnabled(repo) || (await hasGitHooks(repo));
    await endRecord(repo);
    await takeOut(repo);
    return isOn;
  });
}

/** Ends the record of those that are recorded only because the user wanted all to be. */
export async function stopUserRecord(): Promise<Stopped[]> {
  if (!setRecordsEveryRepository(false)) return [];
  return eachRemembered(async (repo) => {
    const isEnded = (await endUserRecord(repo)) === "repository";
    if (isEnded) await takeOut(repo);
    return isEnded;
  });
}

/**
 * Whether a repository is recorded. Where the user wants every one to be, it is taken up when an
 * agent first works in it.
 */
export async function isRecorded(repo: Repo): Promise<boolean> {
  if (isEnabled(repo)) {
    rememberAnew(repo);
    return true;
  }
  if (isLeftOut(repo) || !isMeantByEvery(repo)) return false;
  await startRecord(repo, "user");
  return isEnabled(repo);
}

/** It may have been moved since it was enabled, or enabled by an earlier version. */
function rememberAnew(repo: Repo): void {
  try {
    rememberRepository(repo);
  } catch {
    // A disk that takes nothing: what is recorded next says so.
  }
}

async function takeOut(repo: Repo): Promise<void> {
  await removeHooks(repo);
  forgetRepository(repo.commonDir);
  removeEmptyRecord(repo);
}

/**
 * Where nothing is recorded, hooks can be left: somebody deleted Seam's folder in the repository, or
 * the command that was to take them out failed.
 */
async function takeOutLeft(repo: Repo): Promise<boolean> {
  if (isRepositoryEnabled(repo) || !(await hasGitHooks(repo))) return false;
  await takeOut(repo);
  return true;
}

/** In all work trees: each can have settings of its own that say where hooks are. */
async function removeHooks(repo: Repo): Promise<void> {
  for (const { path } of await workTrees(repo)) {
    const tree = await openRepo(path).catch(() => undefined);
    if (tree) await removeGitHooks(tree);
  }
  await removeGitHooks(repo);
}

/** One that is not there, or cannot be changed, keeps nobody from ending the others. */
async function eachRemembered(end: (repo: Repo) => Promise<boolean>): Promise<Stopped[]> {
  const stopped: Stopped[] = [];
  for (const remembered of rememberedRepositories()) {
    try {
      const repo = await openRepo(remembered.repository);
      if (repo?.commonDir !== remembered.repository) {
        forgetRepository(remembered.repository);
        stopped.push({ ...remembered, how: "gone" });
      } else if (await end(repo)) {
        stopped.push({ ...remembered, how: "ended" });
      }
    } catch (error) {
      stopped.push({ ...remembered, how: "failed", error });
    }
  }
  return stopped;
}
