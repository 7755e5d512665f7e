import { SeamError } from "../../errors/index.ts";
import { zeroId } from "../objects/object-id.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import { runGit } from "../run/run-git.ts";
import { gitError } from "../run/spawn-git.ts";
import { readRef } from "./read-ref.ts";
import type { RefUpdate, UpdateOptions } from "./update-ref.ts";

/** The same as `updateRef` through `git update-ref`, for any kind of repository and reference. */
export async function updateByGit(
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
