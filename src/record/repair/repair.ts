import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeFolderBelow, replaceFile } from "../../files/index.ts";
import { atRepo, git, ObjectStore, type Repo, runGit, updateRef } from "../../git/index.ts";
import { CHECKPOINTS_REF } from "../checkpoint/metadata.ts";
import { seamDirOf } from "../seam-dir.ts";
import { setAside } from "../set-aside.ts";
import { type DamagedRef, findDamage, missingFrom } from "./find-damage.ts";
import { rebuildCheckpoints } from "./rebuild-checkpoints.ts";

/** What became of a damaged reference, for people. */
export interface Repaired {
  readonly ref: string;
  readonly text: string;
}

/**
 * Makes every reference of Seam's lead to something whole again. What is still known is written
 * again; checkpoints that are damaged are left out, all others stay; the snapshots of a session end
 * with the last one that is whole. Where a reference was is kept in a file.
 */
export async function repair(repo: Repo): Promise<Repaired[]> {
  const store = new ObjectStore(repo);
  try {
    const done: Repaired[] = [];
    const before = await findDamage(repo);
    if (before.length === 0) return [];
    await writeAgain(store, new Set(before.flatMap(({ missing }) => missing)));
    const still = new Map((await findDamage(repo)).map((one) => [one.ref, one]));
    for (const { ref } of before) {
      const one = still.get(ref);
      done.push({ ref, text: one ? await putRight(store, one) : "is whole again" });
    }
    await findDamage(repo);
    return done;
  } finally {
    await store.close();
  }
}

/** Files of the work tree may be what is gone. */
async function writeAgain(store: ObjectStore, missing: ReadonlySet<string>): Promise<void> {
  const { repo } = store;
  const { workTree } = repo;
  if (workTree === undefined || missing.size === 0) return;
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const base = [...atRepo(repo), "--work-tree", workTree];
  const listed = await git([...base, ...list], { cwd: workTree });
  // Names with line ends cannot be asked for in this way; they are rare.
  const paths = listed.toString().split("\0");
  const usable = paths.filter((path) => path !== "" && !/[\n"\uFFFD]/.test(path));
  for (let at = 0; at < usable.length; ) {
    const some = usable.slice(at);
    const input = some.map((path) => `${path}\n`).join("");
    const args = [...base, "hash-object", "--no-filters", "--stdin-paths"];
    const { stdout } = await runGit(args, { cwd: workTree, input, settings: [] });
    const ids = stdout.toString().split("\n").slice(0, -1);
    for (const [index, id] of ids.entries()) {
      const path = some[index];
      if (path !== undefined && missing.has(id))
        await store.writeBlobFromFile(join(workTree, path));
    }
    // git stops at the first it cannot read: a file that is gone, or a folder.
    at += ids.length + 1;
  }
}

async function putRight(store: ObjectStore, damaged: DamagedRef): Promise<string> {
  const { repo } = store;
  const { ref, at } = damaged;
  if (at === undefined) {
    await setAside(repo, ref);
    return "is set aside: its file was damaged";
  }
  noteWhere(repo, damaged);
  if (ref === CHECKPOINTS_REF) {
    const lost = await rebuildCheckpoints(store, at);
    if (lost !== undefined) {
      const which = lost.length === 0 ? "no checkpoint" : `${lost.length}: ${lost.join(", ")}`;
      return `is whole again; lost: ${which}`;
    }
  }
  const before = ref.startsWith("refs/seam/turns/") ? await lastWhole(repo, at) : undefined;
  const { ok } = await updateRef(repo, ref, before ?? null, at);
  if (!ok) return "was changed meanwhile";
  return before === undefined ? "is set aside" : `goes back to ${before.slice(0, 12)}`;
}

/** So many commits are tried before a reference is given up. */
const MOST_COMMITS = 200;

/** The newest commit before a damaged one from which everything can be reached. */
async function lastWhole(repo: Repo, at: string): Promise<string | undefined> {
  const args = ["rev-list", "--first-parent", `--max-count=${MOST_COMMITS}`, at];
  const { stdout } = await runGit([...atRepo(repo), ...args], { cwd: repo.gitDir });
  for (const commit of stdout.toString().split("\n").filter(Boolean)) {
    const { missing, detail } = await missingFrom(repo, [commit]);
    if (missing.length === 0 && detail === undefined) return commit;
  }
  return undefined;
}

/** Should anybody find the objects again. */
function noteWhere(repo: Repo, { ref, at, detail, missing }: DamagedRef): void {
  const folder = join(seamDirOf(repo), "aside");
  makeFolderBelow(repo.commonDir, folder, (path) => mkdirSync(path, { mode: 0o700 }));
  const path = join(folder, `${ref.replaceAll("/", "-")}.${Date.now()}`);
  const lines = [`${at}`, `# ${ref} was here. ${detail}`, ...missing.map((id) => `# gone: ${id}`)];
  replaceFile(path, `${lines.join("\n")}\n`);
}
