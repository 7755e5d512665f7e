import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolderBelow } from "../../files/index.ts";
import { atRepo, objectsDir, type Repo } from "../repo/repo.ts";
import { isAbsent } from "../run/is-absent.ts";
import { runGit } from "../run/run-git.ts";

/** Longer than this nobody waits for a copy; without one the objects are looked for afterwards. */
const LONGEST_MS = 60_000;

const MAKING = "making-";

/**
 * Makes a copy of objects that no `git gc` deletes: a pack with a `.keep` file. For the time while
 * one is at work that may not know yet that they are needed. This process may be killed any moment,
 * so it is not enough to look for them afterwards. False if an object is gone already.
 */
export async function pinObjects(repo: Repo, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const objects = objectsDir(repo);
  const folder = makingFolder(repo);
  try {
    const args = ["pack-objects", "--quiet", "--window=0", join(folder, "copy")];
    const options = {
      cwd: repo.commonDir,
      env: { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects },
      input: `${ids.join("\n")}\n`,
      timeoutMs: LONGEST_MS,
    };
    const { stdout, code } = await runGit([...atRepo(repo), ...args], options);
    const id = stdout.toString().trim();
    if (code !== 0 || id === "") return false;
    const name = `pack-${id}`;
    writeFileSync(join(pinsDir(repo), name), "");
    // Before the pack: one without it could be deleted as soon as it is seen.
    writeFileSync(join(objects, "pack", `${name}.keep`), "Seam: until git gc is over\n");
    for (const end of ["pack", "idx"]) {
      renameSync(join(folder, `copy-${id}.${end}`), join(objects, "pack", `${name}.${end}`));
    }
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets git treat the copies like everything else again. Not while it is cleaning up. */
export function releasePins(repo: Repo): void {
  try {
    for (const name of readdirSync(pinsDir(repo))) {
      if (name.startsWith(MAKING)) {
        removeAbandoned(join(pinsDir(repo), name));
        continue;
      }
      rmSync(join(objectsDir(repo), "pack", `${name}.keep`), { force: true });
      rmSync(join(pinsDir(repo), name), { force: true });
    }
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

/** One file for each pack that is kept, and a folder for each that is being made. */
const pinsDir = (repo: Repo) => join(objectsDir(repo), "info/seam-pins");

/**
 * On the file system of the objects, so that the pack can be moved, but not beside them: `git prune`
 * deletes whatever is called `tmp_` there, folders included, while they are in use.
 */
function makingFolder(repo: Repo): string {
  makeFolderBelow(objectsDir(repo), pinsDir(repo));
  const folder = mkdtempSync(join(pinsDir(repo), MAKING));
  // Where git keeps what it has written of a pack.
  mkdirSync(join(folder, "pack"));
  return folder;
}

/** Removes the pins of a process that was killed. Those of one that is still at work are younger. */
function removeAbandoned(folder: string): void {
  const { mtimeMs } = statSync(folder);
  if (Date.now() - mtimeMs > 2 * LONGEST_MS) rmSync(folder, { recursive: true, force: true });
}
