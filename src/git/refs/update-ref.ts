import { systemCode } from "../../errors/index.ts";
import { looseHas } from "../objects/loose-path.ts";
import type { Repo } from "../repo/repo.ts";
import { isThere } from "../repo/small-file.ts";
import { writeError } from "../run/write-error.ts";
import { LockFile } from "./lock-file.ts";
import { readLooseRef, refFile } from "./loose-ref.ts";
import { readPackedRef } from "./packed-refs.ts";
import { checkPackedConflict, refConflict, removeEmptyFolders } from "./ref-conflict.ts";
import { checkRefName } from "./ref-name.ts";
import { updateByGit } from "./update-by-git.ts";

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
  const lock = await takeLock(path, name, patienceMs);
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

async function takeLock(path: string, name: string, patienceMs?: number): Promise<LockFile> {
  try {
    return await LockFile.take(path, patienceMs);
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
