import {
  diffTrees,
  git,
  type ObjectStore,
  pathFromShown,
  type Repo,
  rawPath,
  runGit,
  shownPath,
  treeValueAt,
} from "../../git/index.ts";
import type { LinkInput, Staged } from "../link/link.ts";

const NOTHING = /^0+$/;

/** What a commit would change that is made of the index now. */
export async function stagedChanges(
  repo: Repo,
  head: string | undefined,
  indexFile: string | undefined,
): Promise<Staged> {
  const cwd = repo.workTree ?? repo.gitDir;
  const env = indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile };
  if (head === undefined) {
    const listed = await git(["ls-files", "--stage", "-z"], { cwd, env });
    const entries = listed.toString("latin1").split("\0").filter(Boolean);
    return new Map(
      entries.map((entry) => {
        const [about = "", path = ""] = entry.split("\t");
        return [shown(path), about.split(" ")[1] ?? null];
      }),
    );
  }
  const args = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", head];
  const { stdout } = await runGit(args, { cwd, env });
  const fields = stdout.toString("latin1").split("\0");
  const staged = new Map<string, string | null>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, , , blob = "", status] = (fields[i] ?? "").split(" ");
    staged.set(shown(fields[i + 1] ?? ""), status === "D" || NOTHING.test(blob) ? null : blob);
  }
  return staged;
}

/** What a commit changes. */
export async function commitChanges(
  store: ObjectStore,
  { tree, parents }: { readonly tree: string; readonly parents: readonly string[] },
): Promise<Staged> {
  const [parent] = parents;
  const before = parent === undefined ? undefined : (await store.info(`${parent}^{tree}`))?.id;
  const changes = await diffTrees(store, before, tree);
  return new Map(changes.map(({ path, after }) => [shownPath(path), after?.id ?? null]));
}

/** Files bigger than this are compared by their blobs alone. */
const MAX_COMPARED_BYTES = 1024 * 1024;
/** Shorter lines are everywhere: a bracket proves nothing. */
const MIN_LINE_LENGTH = 4;

/** Whether content of a commit holds a line that a session added to the file. */
export function lineComparer(
  store: ObjectStore,
  baseTree: string | undefined,
): LinkInput["holdsLinesOf"] {
  return async (path, { blob }, staged) => {
    if (blob === null) return false;
    const base =
      baseTree === undefined ? undefined : await treeValueAt(store, baseTree, pathFromShown(path));
    const [before, written, now] = await Promise.all([
      base ? linesOf(store, base.id) : new Set<string>(),
      linesOf(store, blob),
      linesOf(store, staged),
    ]);
    if (!before || !written || !now) return false;
    return [...written].some((line) => !before.has(line) && now.has(line));
  };
}

async function linesOf(store: ObjectStore, id: string): Promise<Set<string> | undefined> {
  const info = await store.info(id);
  if (info?.type !== "blob" || info.size > MAX_COMPARED_BYTES) return undefined;
  const text = (await store.read(id))?.content.toString("latin1") ?? "";
  const lines = text.split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => line.length >= MIN_LINE_LENGTH));
}

const shown = (path: string) => shownPath(rawPath(Buffer.from(path, "latin1")));
