import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isInside, readText, realTarget, replaceFile } from "../files/index.ts";
import type { Repo } from "../git/index.ts";
import { everyRepositoryFile, loadSettings, seamHome, settingsFiles } from "../settings/index.ts";

/** A repository that is recorded, as it was when that began. */
export interface KnownRepository {
  /** The folder that all its work trees share. */
  readonly repository: string;
  /** The work tree in which it was enabled; what a person calls it. */
  readonly workTree: string;
}

/** One file for each: the cost does not grow with the number of repositories. */
const folder = () => join(seamHome(), "repositories");
const fileFor = (repository: string) =>
  join(folder(), `${createHash("sha256").update(repository).digest("hex").slice(0, 32)}.json`);

/** So that it can be found again from wherever the user ends all of it. */
export function rememberRepository({ commonDir, workTree = commonDir }: Repo): void {
  const file = fileFor(commonDir);
  if (existsSync(file)) return;
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const remembered: KnownRepository = { repository: commonDir, workTree };
  replaceFile(file, `${JSON.stringify(remembered, null, 2)}\n`);
}

export function forgetRepository(repository: string): void {
  rmSync(fileFor(repository), { force: true });
}

export function rememberedRepositories(): KnownRepository[] {
  const names = existsSync(folder()) ? readdirSync(folder()) : [];
  return names
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => parse(readText(join(folder(), name))) ?? [])
    .sort((a, b) => (a.workTree < b.workTree ? -1 : 1));
}

function parse(text = ""): KnownRepository | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const { repository, workTree } = value as Partial<Record<keyof KnownRepository, unknown>>;
    const isOne = typeof repository === "string" && typeof workTree === "string";
    return isOne ? { repository, workTree } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the user said that every repository is to be recorded. */
export function recordsEveryRepository(): boolean {
  return existsSync(everyRepositoryFile());
}

/** Returns false if it was so already. */
export function setRecordsEveryRepository(isWanted: boolean): boolean {
  if (recordsEveryRepository() === isWanted) return false;
  if (isWanted) {
    mkdirSync(seamHome(), { recursive: true });
    replaceFile(everyRepositoryFile(), `${new Date().toISOString()}\n`);
  } else {
    rmSync(everyRepositoryFile(), { force: true });
  }
  return true;
}

/**
 * Whether "every repository" means this one. A home folder under git does not count: all that a
 * person has lies in it. Nor do the folders that the setting `unrecorded` names.
 */
export function isMeantByEvery({ workTree, commonDir }: Repo): boolean {
  if (workTree === undefined || !recordsEveryRepository()) return false;
  if (isInside(realTarget(homedir()), workTree)) return false;
  const { settings, problems } = loadSettings(workTree);
  const [own] = settingsFiles(workTree);
  // What the user wants left out cannot be read: nothing new is taken up.
  const isUnclear = problems.some(
    ({ details: { path, key } }) => path === own && (key === undefined || key === "unrecorded"),
  );
  if (isUnclear) return false;
  return !settings.unrecorded.some((text) => {
    const left = realTarget(text.replace(/^~(?=\/|$)/, homedir()));
    return isInside(workTree, left) || isInside(commonDir, left);
  });
}
