import { existsSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Level } from "../agents/index.ts";
import { SeamError } from "../errors/index.ts";
import {
  folderRefusal,
  leadsOutside,
  makeFolderBelow,
  markVersion,
  readText,
  storeRefusal,
  VERSION_FILE,
} from "../files/index.ts";
import { listRefs, openRepo, type Repo } from "../git/index.ts";
import { CHECKPOINTS_REF } from "./checkpoint/metadata.ts";

/** Seam's folder in a repository. It can be deleted without losing a checkpoint. */
export function seamDirOf(repo: Pick<Repo, "commonDir">): string {
  return join(repo.commonDir, "seam");
}

/**
 * A repository is recorded while `seam/enabled` is in the folder that its work trees share. Each work
 * tree can be enabled or left out by itself: git keeps a folder for each, and removes it together
 * with the work tree.
 */
const enabledFile = (repo: Pick<Repo, "commonDir">) => join(seamDirOf(repo), "enabled");
const choiceFile = (gitDir: string) => join(gitDir, "seam", "work-tree");

/** What the user said in a work tree: enable there, or disable there while others stay enabled. */
type Choice = "on" | "off";

/** A work tree, and whether the user said anything about it. */
export interface WorkTreeChoice {
  readonly path: string;
  readonly gitDir: string;
  readonly choice?: Choice;
}

/** What is in `seam/enabled`. */
interface Enabled {
  readonly at: string;
  /** It is recorded because the user wants every repository recorded. */
  readonly user: boolean;
  /** Of an earlier version, which did not note the work tree: every one counts as enabled. */
  readonly isOld: boolean;
}

/** How much a command ended: nothing was on, this work tree alone, or the whole repository. */
export type Ended = "nothing" | "work tree" | "repository";

/** Whether this work tree is recorded. Nothing is where a link leads away. */
export function isEnabled(repo: Repo): boolean {
  return isRepositoryEnabled(repo) && choiceOf(repo.gitDir) !== "off";
}

/** Whether the repository is recorded, in whichever of its work trees. */
export function isRepositoryEnabled(repo: Repo): boolean {
  return (
    existsSync(enabledFile(repo)) && leadsOutside(seamDirOf(repo), repo.commonDir) === undefined
  );
}

/**
 * Why a repository's record has to be left alone: a newer Seam wrote it. Costs one small file;
 * `refs`: the references are looked at too, whose names have the version of all checkpoints.
 */
export async function recordRefusal(
  repo: Repo,
  { refs }: { readonly refs: boolean },
): Promise<SeamError | undefined> {
  const refusal = folderRefusal("record", seamDirOf(repo));
  if (refusal || !refs) return refusal;
  const [folder = ""] = /^.*\//.exec(CHECKPOINTS_REF) ?? [];
  for (const { name } of await listRefs(repo, folder)) {
    const [, version] = /\/v(\d+)$/.exec(name) ?? [];
    const newer = storeRefusal("checkpoint", name, Number(version));
    if (newer) return newer;
  }
  return undefined;
}

/** What carries no version yet gets one: from here on an earlier Seam may not understand it. */
export function markRecord(repo: Repo): void {
  makeFolderBelow(repo.commonDir, seamDirOf(repo));
  markVersion("record", seamDirOf(repo));
}

/** Whether somebody said `seam disable` in this work tree. */
export function isLeftOut(repo: Repo): boolean {
  return choiceOf(repo.gitDir) === "off";
}

/** Throws where Seam must not write. Changes nothing. */
export function checkRecordable(repo: Repo): void {
  const path = seamDirOf(repo);
  const refusal = folderRefusal("record", path);
  if (refusal) throw refusal;
  const target = leadsOutside(path, repo.commonDir);
  if (target !== undefined) throw new SeamError("SEAM_LINK_OUTSIDE", { path, target });
}

export function enableRecord(repo: Repo, level: Level = "project"): void {
  checkRecordable(repo);
  markRecord(repo);
  const known = read(repo);
  const user = level === "user" || (known?.user ?? false);
  if (level === "project") choose(repo.gitDir, "on");
  write(repo, { at: known?.at ?? new Date().toISOString(), user });
}

/**
 * Ends the record of this work tree; of the whole repository if no other work tree was enabled. What
 * was recorded stays.
 */
export async function disableRecord(repo: Repo): Promise<Ended> {
  const known = read(repo);
  if (!known) return "nothing";
  const all = await workTrees(repo);
  const others = all.filter(
    ({ gitDir, choice }) =>
      gitDir !== repo.gitDir && (choice === "on" || (known.isOld && choice === undefined)),
  );
  if (others.length === 0 && !known.user) {
    await endRecord(repo);
    return "repository";
  }
  // What an earlier version left open is settled with this.
  if (known.isOld) {
    for (const { gitDir } of others) choose(gitDir, "on");
    write(repo, known);
  }
  leaveOut(repo);
  return "work tree";
}

/** Keeps this work tree out of the record, also where every repository is recorded. */
export function leaveOut(repo: Repo): void {
  choose(repo.gitDir, "off");
}

/** Takes back what recording every repository did here; what was enabled here itself stays. */
export async function endUserRecord(repo: Repo): Promise<Ended> {
  const known = read(repo);
  if (!known?.user) return "nothing";
  if ((await workTrees(repo)).some(({ choice }) => choice === "on")) {
    write(repo, { ...known, user: false });
    return "nothing";
  }
  await endRecord(repo);
  return "repository";
}

/** Ends the record in all work trees. */
export async function endRecord(repo: Repo): Promise<void> {
  rmSync(enabledFile(repo), { force: true });
  for (const { gitDir } of await workTrees(repo)) {
    rmSync(choiceFile(gitDir), { force: true });
    removeIfEmpty(dirname(choiceFile(gitDir)));
  }
}

/** Takes Seam's folder away if nothing but its version is in it. */
export function removeEmptyRecord(repo: Repo): void {
  const path = seamDirOf(repo);
  if (leadsOutside(path, repo.commonDir) !== undefined) return;
  if (namesIn(path).some((name) => name !== VERSION_FILE)) return;
  rmSync(join(path, VERSION_FILE), { force: true });
  removeIfEmpty(path);
}

/** The work trees of a repository that are there, the main one first. */
export async function workTrees(repo: Repo): Promise<WorkTreeChoice[]> {
  const main = await openRepo(repo.commonDir).catch(() => undefined);
  const found = main?.workTree === undefined ? [] : [{ path: main.workTree, gitDir: main.gitDir }];
  const folder = join(repo.commonDir, "worktrees");
  for (const name of namesIn(folder)) {
    const gitDir = join(folder, name);
    const dotGit = readText(join(gitDir, "gitdir"))?.trim();
    if (!dotGit || !existsSync(resolve(gitDir, dotGit))) continue;
    found.push({ path: dirname(resolve(gitDir, dotGit)), gitDir });
  }
  return found.map((one) => {
    const choice = choiceOf(one.gitDir);
    return { ...one, ...(choice && { choice }) };
  });
}

/** Where agents' work is recorded: everywhere but where the user said no. */
export async function recordedWorkTrees(repo: Repo): Promise<string[]> {
  if (!isRepositoryEnabled(repo)) return [];
  return (await workTrees(repo)).filter(({ choice }) => choice !== "off").map(({ path }) => path);
}

function choiceOf(gitDir: string): Choice | undefined {
  const text = readText(choiceFile(gitDir))?.trim();
  return text === "on" || text === "off" ? text : undefined;
}

function choose(gitDir: string, choice: Choice): void {
  const file = choiceFile(gitDir);
  const target = leadsOutside(file, gitDir);
  if (target !== undefined) throw new SeamError("SEAM_LINK_OUTSIDE", { path: file, target });
  makeFolderBelow(gitDir, dirname(file));
  writeFileSync(file, `${choice}\n`);
}

function read(repo: Repo): Enabled | undefined {
  if (!isRepositoryEnabled(repo)) return undefined;
  const text = readText(enabledFile(repo)) ?? "";
  const [at = "", level] = text.trim().split(/\s+/);
  return { at, user: level === "user", isOld: level === undefined };
}

/** One line: when, and at which level. */
function write(repo: Repo, { at, user }: Pick<Enabled, "at" | "user">): void {
  writeFileSync(enabledFile(repo), `${at} ${user ? "user" : "project"}\n`);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something was recorded, or it is gone already.
  }
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}
