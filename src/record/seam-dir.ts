import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SeamError } from "../errors/index.ts";
import { folderRefusal, leadsOutside, markVersion, storeRefusal } from "../files/index.ts";
import { listRefs, type Repo } from "../git/index.ts";
import { CHECKPOINTS_REF } from "./checkpoint/metadata.ts";

/** Seam's folder in a repository. It can be deleted without losing a checkpoint. */
export function seamDirOf(repo: Repo): string {
  return join(repo.commonDir, "seam");
}

const enabledFile = (repo: Repo) => join(seamDirOf(repo), "enabled");

/** Whether the user asked for this repository to be recorded. Nothing is where a link leads away. */
export function isEnabled(repo: Repo): boolean {
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
  markVersion("record", seamDirOf(repo));
}

export function enableRecord(repo: Repo): void {
  const refusal = folderRefusal("record", seamDirOf(repo));
  if (refusal) throw refusal;
  const path = seamDirOf(repo);
  const target = leadsOutside(path, repo.commonDir);
  if (target !== undefined) throw new SeamError("SEAM_LINK_OUTSIDE", { path, target });
  mkdirSync(seamDirOf(repo), { recursive: true });
  markRecord(repo);
  writeFileSync(enabledFile(repo), `${new Date().toISOString()}\n`);
}

/** What was recorded stays. */
export function disableRecord(repo: Repo): void {
  rmSync(enabledFile(repo), { force: true });
}
