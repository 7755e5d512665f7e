import { SeamError } from "../../errors/index.ts";
import { openRepo, ownFilters, type Repo, readRef, runGit } from "../../git/index.ts";
import { checkoutsOf } from "../history/checkouts.ts";
import { commitOf, isContained, writeCommit } from "../history/commits.ts";
import { mergeTrees } from "../history/merge-trees.ts";
import { moveRef } from "../history/move-ref.ts";
import { advance } from "./advance.ts";

export type LandResult =
  | {
      readonly kind: "landed";
      readonly branch: string;
      readonly before: string;
      readonly after: string;
      /** The checkouts whose files were brought along. */
      readonly checkouts: readonly string[];
    }
  /** The branch has everything already. */
  | { readonly kind: "contained"; readonly branch: string; readonly at: string }
  | {
      readonly kind: "conflict";
      readonly files: readonly string[];
      /** git's own words for each conflict. */
      readonly words: readonly string[];
      readonly next: string;
    }
  /** Nothing was changed; `next` is what the user can do. */
  | { readonly kind: "held"; readonly reason: string; readonly next: string };

/** So often others may move the branch meanwhile. */
const MOST_TRIES = 5;

/**
 * Brings what a run made to a branch of the user's: by moving the branch forward, or with a merge
 * commit if it has commits of its own. A branch that nobody has checked out is moved by itself;
 * where it is checked out its files go along, unless one of them was changed there.
 */
export async function landOn(
  repository: string,
  target: string,
  branch: string,
): Promise<LandResult> {
  const repo = await openRepo(repository);
  if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: repository });
  const work = await commitOf(repo, `refs/heads/${target}`);
  const next = `Do it yourself: git switch ${branch} && git merge ${target}`;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const before = await readRef(repo, `refs/heads/${branch}`);
    if (before === undefined) {
      throw new SeamError("SEAM_CREW_BRANCH", { name: branch, path: repository });
    }
    if (await isContained(repo, work, before)) return { kind: "contained", branch, at: before };
    const after = await landed(repo, before, work, `Merge ${target} into ${branch}`);
    if ("conflict" in after) {
      const { files, words } = after.conflict;
      return { kind: "conflict", files, words, next };
    }
    await remember(repo, branch, before, after.commit);
    const message = `seam: land ${target}`;
    const moved = await advance(repo, { branch, from: before, to: after.commit, message });
    if (moved.kind === "moved") {
      const { checkouts } = moved;
      return { kind: "landed", branch, before, after: after.commit, checkouts };
    }
    if (moved.kind === "held") {
      return {
        kind: "held",
        reason: `${branch} is checked out in ${moved.path}: ${moved.reason}.`,
        next,
      };
    }
  }
  return { kind: "held", reason: `${branch} keeps moving.`, next: "Run the command again." };
}

async function landed(repo: Repo, before: string, work: string, message: string) {
  if (await isContained(repo, before, work)) return { commit: work };
  const merged = await mergeTrees(repo, before, work);
  if ("conflict" in merged) return merged;
  const { tree } = merged;
  return { commit: await writeCommit(repo, { tree, parents: [before, work], message }) };
}

const beforeRef = (branch: string) => `refs/seam/crew/before-land/${branch}`;
const afterRef = (branch: string) => `refs/seam/crew/after-land/${branch}`;

/** Writes both places down before the branch moves, so that a landing can always be undone. */
async function remember(repo: Repo, branch: string, before: string, after: string): Promise<void> {
  await moveRef(repo, beforeRef(branch), before, undefined, "seam: before landing");
  await moveRef(repo, afterRef(branch), after, undefined, "seam: landing");
}

export type UndoResult =
  | { readonly kind: "undone"; readonly branch: string; readonly at: string }
  | { readonly kind: "nothing"; readonly reason: string }
  | { readonly kind: "held"; readonly reason: string; readonly next: string };

/** Takes the last landing on a branch back, as long as nothing was done upon it. */
export async function undoLand(repository: string, branch: string): Promise<UndoResult> {
  const repo = await openRepo(repository);
  if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: repository });
  const [now, before, after] = await Promise.all(
    [`refs/heads/${branch}`, beforeRef(branch), afterRef(branch)].map((ref) => readRef(repo, ref)),
  );
  if (before === undefined || after === undefined || now === before) {
    return { kind: "nothing", reason: `Nothing has landed on ${branch}.` };
  }
  const next = `Do it yourself: git switch ${branch} && git reset --keep ${before}`;
  if (now !== after) {
    const reason = `${branch} has other commits since it landed.`;
    // A branch that was only moved forward has one merge for each task.
    const landed = `$(git rev-list --first-parent ${before}..${after})`;
    const way = `Take it back with commits: git revert --no-edit -m 1 ${landed}`;
    return { kind: "held", reason, next: way };
  }
  const [path] = await checkoutsOf(repo, branch);
  if (path === undefined) {
    const moved = await moveRef(repo, `refs/heads/${branch}`, before, after, "seam: undo landing");
    if (!moved.ok) return { kind: "held", reason: `${branch} was moved meanwhile.`, next };
  } else {
    const checkout = await openRepo(path);
    if (!checkout) return { kind: "held", reason: `${path} cannot be read.`, next };
    const settings = await ownFilters(checkout);
    const args = ["reset", "--keep", "--quiet", before];
    const { code, stderr } = await runGit(args, { cwd: path, settings });
    if (code !== 0) return { kind: "held", reason: stderr.trim(), next };
  }
  await moveRef(repo, afterRef(branch), null, after, "seam: undone");
  return { kind: "undone", branch, at: before };
}
