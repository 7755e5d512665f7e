import { SeamError } from "../../errors/index.ts";
import { headOf, openRepo, scanWorkTree, shownPath } from "../../git/index.ts";

/** What a run begins with. */
export interface StartingPoint {
  /** The top folder of the user's checkout, or the git folder of a bare repository. */
  readonly repository: string;
  readonly commit: string;
  /** Absent when HEAD is detached. */
  readonly branch?: string;
  /** Files of the user's that are in no commit: a run does not see them, and leaves them alone. */
  readonly uncommitted: readonly string[];
}

/** Where the user's checkout is. Throws where a crew cannot begin, with what to do about it. */
export async function startingPoint(folder: string): Promise<StartingPoint> {
  const repo = await openRepo(folder);
  if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: folder });
  const repository = repo.workTree ?? repo.gitDir;
  const { commit, branch } = await headOf(repo);
  if (commit === undefined) throw new SeamError("SEAM_CREW_NO_COMMIT", { path: repository });
  const { changes } = await scanWorkTree(repo);
  const uncommitted = changes.map(({ path }) => shownPath(path));
  return { repository, commit, uncommitted, ...(branch !== undefined && { branch }) };
}
