import { readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { SeamError, systemCode } from "../../errors/index.ts";
import { looseHas } from "../objects/loose-path.ts";
import { zeroId } from "../objects/object-id.ts";
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
 * Needs no process where the new object is a loose one, as it is right after it was written.
 */
export async function updateRef(
  repo: Repo,
  name: string,
  newId: string | null,
  expected: string | null | undefined,
  options: UpdateOptions = {},
): Promise<RefUpdate> {
  checkRefName(name);
  if (newId !== null && isPlain(repo, name, newId)) {
    const update = await updateFile(repo, name, newId, expected, options);
    if (update !== "symbolic") return update;
  }
  return updateByGit(repo, name, newId, expected, options);
}

/**
 * Without reflog, for this user alone, to an object that is seen to exist: everything else has
 * rules that git knows better. Deleting is git's too, because the list of packed references may
 * have to be written anew.
 */
function isPlain(repo: Repo, name: string, newId: string): boolean {
  if (repo.refFormat !== "files" || repo.isShared) return false;
  if (!/^refs\/(?!heads\/|remotes\/|notes\/)/.test(name)) return false;
  return !isThere(refFile(repo, `logs/${name}`)) && looseHas(repo, newId);
}

async function updateFile(
  repo: Repo,
  name: string,
  newId: string,
  expected: string | null | undefined,
  { durable = false, patienceMs }: UpdateOptions,
): Promise<RefUpdate | "symbolic"> {
  const path = refFile(repo, name);
  const lock = await takeLock(repo, name, patienceMs);
  let committed = false;
  try {
    const value = readLooseRef(repo, name);
    if (value && "target" in value) return "symbolic";
    const before = value?.id ?? readPackedRef(repo, name);
    if (expected !== undefined && before !== (expected ?? undefined)) {
      return { ok: false, actual: before };
    }
    if (before === undefined) checkPackedConflict(repo, name);
    lock.write(`${newId}\n`, durable);
    commit(lock, path, name);
    committed = true;
    return { ok: true, before };
  } finally {
    lock.release(committed);
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
