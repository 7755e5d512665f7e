import { readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { SeamError, systemCode } from "../../errors/index.ts";
import { looseHas } from "../objects/loose-path.ts";
import { zeroId } from "../objects/object-id.ts";
import { readLoose } from "../objects/read-loose.ts";
import type { Repo } from "../repo/repo.ts";
import { atRepo } from "../repo/repo.ts";
import { isThere } from "../repo/small-file.ts";
import { runGit } from "../run/run-git.ts";
import { gitError } from "../run/spawn-git.ts";
import { writeError } from "../run/write-error.ts";
import { LockFile } from "./lock-file.ts";
import { readLooseRef, refFile, refHome } from "./loose-ref.ts";
import { listPackedRefs, readPackedRef } from "./packed-refs.ts";
import { readRef } from "./read-ref.ts";
import { checkRefName } from "./ref-name.ts";
import { appendTo, keepsReflogs, type Reflog, reflogLine } from "./reflog.ts";

export type RefUpdate =
  | { readonly ok: true; readonly before: string | undefined }
  /** Somebody else was faster: nothing was changed. */
  | { readonly ok: false; readonly actual: string | undefined };

export interface UpdateOptions {
  /** For the reflog, where the reference has one. */
  readonly message?: string | undefined;
  /** Wait until it is on the disk. */
  readonly durable?: boolean | undefined;
  /** How long to wait for another program that holds the reference. */
  readonly patienceMs?: number | undefined;
}

/**
 * Moves a reference if it still is where the caller saw it: `expected` is an object, null for "must
 * not exist", undefined for "wherever it is". A `newId` of null deletes it. Losing is a result; a
 * lock that stays, a full disk or a name that clashes with another one is an error.
 *
 * Needs no process where the new object is a loose one, as it is right after it was written. That
 * goes for branches too, if the repository keeps reflogs as `git init` sets it up.
 */
export async function updateRef(
  repo: Repo,
  name: string,
  newId: string | null,
  expected: string | null | undefined,
  options: UpdateOptions = {},
): Promise<RefUpdate> {
  checkRefName(name);
  if (newId !== null) {
    const logs = await logsOf(repo, name, newId);
    const update = logs && (await updateFile(repo, name, newId, expected, logs, options));
    if (update && update !== "left to git") return update;
  }
  return updateByGit(repo, name, newId, expected, options);
}

/**
 * The reflogs that a plain change of a reference adds a line to: for this user alone, to an object
 * that is seen to exist. Undefined: there are rules that git knows better. Deleting is git's too,
 * because the list of packed references may have to be written anew.
 */
async function logsOf(
  repo: Repo,
  name: string,
  newId: string,
): Promise<readonly Reflog[] | undefined> {
  if (repo.refFormat !== "files" || repo.isShared || !looseHas(repo, newId)) return undefined;
  const own = { home: repo.commonDir, name: `logs/${name}` };
  if (!name.startsWith("refs/heads/")) {
    const isPlain = /^refs\/(?!remotes\/|notes\/)/.test(name);
    return isPlain && !isThere(refFile(repo, own.name)) ? [] : undefined;
  }
  if (readLoose(repo, newId)?.type !== "commit" || !(await keepsReflogs(repo))) return undefined;
  const head = readLooseRef(repo, "HEAD");
  const isHere = head !== undefined && "target" in head && head.target === name;
  return isHere ? [own, { home: repo.gitDir, name: "logs/HEAD" }] : [own];
}

/** Whoever moves the branch that is checked out here holds HEAD meanwhile, as git does. */
async function updateFile(
  repo: Repo,
  name: string,
  newId: string,
  expected: string | null | undefined,
  logs: readonly Reflog[],
  options: UpdateOptions,
): Promise<RefUpdate | "left to git"> {
  const change = () => updateAlone(repo, name, newId, expected, logs, options);
  if (logs.length < 2) return change();
  const head = await LockFile.take(refFile(repo, "HEAD"), repo.gitDir, options.patienceMs);
  try {
    return await change();
  } finally {
    head.release(false);
  }
}

async function updateAlone(
  repo: Repo,
  name: string,
  newId: string,
  expected: string | null | undefined,
  logs: readonly Reflog[],
  { message, durable = false, patienceMs }: UpdateOptions,
): Promise<RefUpdate | "left to git"> {
  const path = refFile(repo, name);
  const lock = await takeLock(repo, name, patienceMs);
  let committed = false;
  try {
    const value = readLooseRef(repo, name);
    if (value && "target" in value) return "left to git";
    const before = value?.id ?? readPackedRef(repo, name);
    if (expected !== undefined && before !== (expected ?? undefined)) {
      return { ok: false, actual: before };
    }
    if (before === undefined) checkPackedConflict(repo, name);
    lock.write(`${newId}\n`, durable);
    if (logs.length > 0 && before !== newId) {
      const line = await reflogLine(repo, before, newId, message);
      if (!tryAppend(logs, line)) return "left to git";
    }
    commit(lock, path, name);
    committed = true;
    return { ok: true, before };
  } finally {
    lock.release(committed);
  }
}

/** False: something is in the way of a reflog, which git knows how to clear. */
function tryAppend(logs: readonly Reflog[], line: string): boolean {
  try {
    appendTo(logs, line);
    return true;
  } catch (error) {
    if (["EISDIR", "ENOTDIR", "EEXIST"].includes(systemCode(error) ?? "")) return false;
    throw writeError(logs[0]?.home ?? "", error);
  }
}

async function takeLock(repo: Repo, name: string, patienceMs?: number): Promise<LockFile> {
  try {
    return await LockFile.take(refFile(repo, name), refHome(repo, name), patienceMs);
  } catch (error) {
    const code = error instanceof Error ? systemCode(error.cause) : undefined;
    if (code === "ENOTDIR" || code === "EEXIST") throw refConflict(name, "a part of its name");
    throw error;
  }
}

function commit(lock: LockFile, path: string, name: string): void {
  try {
    lock.commit();
  } catch (error) {
    if (!["EISDIR", "ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) {
      throw writeError(path, error);
    }
    if (!removeEmptyFolders(path)) throw refConflict(name, `${name}/…`);
    lock.commit();
  }
}

/**
 * A reference is a file, so there cannot be `a` and `a/b`. Files see to it by themselves; packed
 * references have to be looked through.
 */
function checkPackedConflict(repo: Repo, name: string): void {
  const parts = name.split("/");
  for (let length = 2; length < parts.length; length++) {
    const parent = parts.slice(0, length).join("/");
    if (readPackedRef(repo, parent) !== undefined) throw refConflict(name, parent);
  }
  const [child] = listPackedRefs(repo, `${name}/`).keys();
  if (child !== undefined) throw refConflict(name, child);
}

function refConflict(ref: string, other: string): SeamError {
  return new SeamError("SEAM_GIT_REF", { ref, detail: `${other} is in its way` });
}

/** Removes folders that deleted references have left. False when something is in them. */
function removeEmptyFolders(path: string): boolean {
  try {
    for (const name of readdirSync(path)) {
      if (!removeEmptyFolders(join(path, name))) return false;
    }
    rmdirSync(path);
    return true;
  } catch (error) {
    return systemCode(error) === "ENOENT";
  }
}

/** The same as `updateRef` through `git update-ref`, for any kind of repository and reference. */
async function updateByGit(
  repo: Repo,
  name: string,
  newId: string | null,
  expected: string | null | undefined,
  { message, patienceMs = 1000 }: UpdateOptions,
): Promise<RefUpdate> {
  const before = expected === undefined ? await readRef(repo, name) : (expected ?? undefined);
  if (newId === null && before === undefined) {
    const actual = await readRef(repo, name);
    return actual === undefined ? { ok: true, before } : { ok: false, actual };
  }
  const zero = zeroId(repo.objectFormat);
  // With -z an empty old value means that it is not looked at.
  const old = expected === undefined ? "" : (expected ?? zero);
  const change = newId === null ? `delete ${name}\0${old}\0` : `update ${name}\0${newId}\0${old}\0`;
  const patience = ["core.filesRefLockTimeout", "core.packedRefsTimeout"];
  const args = [
    ...atRepo(repo),
    ...patience.flatMap((key) => ["-c", `${key}=${patienceMs}`]),
    "update-ref",
    ...(message === undefined ? [] : ["-m", message]),
    ...["-z", "--stdin"],
  ];
  const { code, stderr } = await runGit(args, { cwd: repo.gitDir, input: change });
  if (code === 0) return { ok: true, before };
  const actual = await readRef(repo, name);
  if (expected !== undefined && actual !== before) return { ok: false, actual };
  const lock = /Unable to create '(.+?)': File exists/.exec(stderr)?.[1];
  if (lock !== undefined) throw new SeamError("SEAM_GIT_LOCK", { path: lock });
  throw gitError(args, repo.gitDir, stderr.trim());
}
