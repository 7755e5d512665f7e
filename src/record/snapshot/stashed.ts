import { join } from "node:path";
import { LARGE_FILE, readRegularText } from "../../files/index.ts";
import { commitFacts, type ObjectStore, pathFromShown, TreeLookup } from "../../git/index.ts";
import type { TouchedFile } from "../session/state.ts";

/** Only this many stashes are looked at. */
const MOST_STASHES = 20;

/**
 * Tells of a file that is not in the work tree any more whether it lies in a stash: then it may come
 * back. Nothing is read unless it is asked, and there is a stash.
 */
export function stashLookup(
  store: ObjectStore,
): (path: string, file: TouchedFile) => Promise<boolean> {
  const lookup = new TreeLookup(store);
  let trees: Promise<string[]> | undefined;
  return async (shown, { blob }) => {
    if (blob === null) return false;
    trees ??= stashTrees(store);
    for (const tree of await trees) {
      const value = await lookup.at(tree, pathFromShown(shown)).catch(() => undefined);
      if (value?.id === blob) return true;
    }
    return false;
  };
}

/** Of a stash the work tree, the index, and the untracked files if they went with it. */
async function stashTrees(store: ObjectStore): Promise<string[]> {
  const trees: string[] = [];
  for (const id of stashCommits(store).slice(0, MOST_STASHES)) {
    const stash = await commitFacts(store, id).catch(() => undefined);
    if (!stash) continue;
    trees.push(stash.tree);
    for (const parent of stash.parents.slice(1)) {
      const more = await commitFacts(store, parent).catch(() => undefined);
      if (more) trees.push(more.tree);
    }
  }
  return trees;
}

/** The newest first. git keeps them in the history of one reference. */
function stashCommits({ repo: { commonDir } }: ObjectStore): string[] {
  try {
    const lines = readRegularText(join(commonDir, "logs/refs/stash"), LARGE_FILE)
      .trimEnd()
      .split("\n");
    return lines.flatMap((line) => line.split(" ", 2)[1] ?? []).reverse();
  } catch {
    return [];
  }
}
