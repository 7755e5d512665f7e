import { addTrailer, atRepo, git, type Repo, trailersOf } from "../../git/index.ts";
import { CHECKPOINT_TRAILER, RUN_TRAILER, TASK_TRAILER } from "../../record/index.ts";
import { forkOf, lineFrom, writeCommit } from "../history/commits.ts";
import { mergeTrees } from "../history/merge-trees.ts";

export interface TaskCommit {
  readonly task: string;
  readonly commit: string;
  readonly title?: string | undefined;
}

export interface Landed {
  readonly task: string;
  /** The commit of the target that brought it in. */
  readonly mergedAs: string;
}

/** What changed the files first with which a task is in conflict. */
export interface OtherSide {
  /** Absent: it was none of the crew's tasks. */
  readonly task?: string;
  readonly commit: string;
  readonly subject: string;
}

export interface TaskConflict {
  readonly task: string;
  readonly files: readonly string[];
  /** git's own words for each conflict. */
  readonly words: readonly string[];
  readonly with: readonly OtherSide[];
}

export interface Candidate {
  /** What the target is to become; where it was, if nothing could be merged. */
  readonly tip: string;
  readonly merged: readonly Landed[];
  readonly conflicts: readonly TaskConflict[];
}

/** Merges tasks one after the other upon a commit, without those that do not fit. Moves nothing. */
export async function candidateOf(
  repo: Repo,
  from: string,
  tasks: readonly TaskCommit[],
  run: string,
): Promise<Candidate> {
  let tip = from;
  const merged: Landed[] = [];
  const conflicts: TaskConflict[] = [];
  for (const { task, commit, title } of tasks) {
    const { messages, result } = await addedBy(repo, tip, commit);
    if (messages === undefined) {
      merged.push({ task, mergedAs: await mergeOf(repo, commit, tip) });
    } else if ("conflict" in result) {
      const { files, words } = result.conflict;
      conflicts.push({ task, files, words, with: await otherSides(repo, tip, commit, files) });
    } else {
      const message = mergeMessage({ task, commit, title }, run, messages);
      tip = await writeCommit(repo, { tree: result.tree, parents: [tip, commit], message });
      merged.push({ task, mergedAs: tip });
    }
  }
  return { tip, merged, conflicts };
}

/** What a task's commits say, undefined if it adds none, and what the files are with them. */
async function addedBy(repo: Repo, tip: string, commit: string) {
  // Mostly nobody merged anything since the task began: then its files are the result.
  const line = lineFrom(repo, tip, commit);
  const last = line?.[0];
  if (last) {
    return { messages: line.map(({ message }) => message).join("\0"), result: { tree: last.tree } };
  }
  // Both are asked at once: mostly both answers are wanted.
  const [messages, result] = await Promise.all([
    messagesBetween(repo, tip, commit),
    mergeTrees(repo, tip, commit),
  ]);
  return { messages, result };
}

/** What the commits say that a task adds; undefined if it adds none. */
async function messagesBetween(
  repo: Repo,
  tip: string,
  commit: string,
): Promise<string | undefined> {
  const args = [...atRepo(repo), "log", "--format=%x00%B", `${tip}..${commit}`];
  return (await git(args, { cwd: repo.gitDir })).toString() || undefined;
}

/** Names the task, and what the record knows of its commits: whoever finds the merge finds both. */
function mergeMessage({ task, title }: TaskCommit, run: string, messages: string): string {
  const checkpoints = messages.split("\0").flatMap((text) => trailersOf(text, CHECKPOINT_TRAILER));
  const trailers = [
    ...[...new Set(checkpoints)].map((id) => [CHECKPOINT_TRAILER, id] as const),
    [RUN_TRAILER, run] as const,
    [TASK_TRAILER, task] as const,
  ];
  const subject = `Merge task ${task}${title ? `: ${title}` : ""}`.replace(/\s+/g, " ");
  return trailers.reduce((text, [key, value]) => addTrailer(text, key, value), `${subject}\n`);
}

/** The merge that brought a commit into a branch; the commit itself if none did. */
async function mergeOf(repo: Repo, commit: string, tip: string): Promise<string> {
  const args = ["rev-list", "--first-parent", "--parents", "--merges", `${commit}..${tip}`];
  const lines = (await git([...atRepo(repo), ...args], { cwd: repo.gitDir }))
    .toString()
    .split("\n");
  const found = lines.find((line) => line.split(" ").slice(2).includes(commit));
  return found?.split(" ")[0] ?? commit;
}

async function otherSides(
  repo: Repo,
  tip: string,
  commit: string,
  files: readonly string[],
): Promise<OtherSide[]> {
  const format = `--format=%H%x00%s%x00%(trailers:key=${TASK_TRAILER},valueonly)%x00`;
  // Not `commit..tip`: git leaves out a merge whose first parent only that commit leads to.
  const common = await forkOf(repo, tip, commit);
  const range = common === undefined ? tip : `${common}..${tip}`;
  const args = ["log", "--first-parent", "--max-count=20", format, range, "--"];
  const literal = files.map((file) => `:(top,literal)${file}`);
  const output = await git([...atRepo(repo), ...args, ...literal], { cwd: repo.gitDir });
  const fields = output.toString().split("\0");
  const sides: OtherSide[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [id = "", subject = "", task = ""] = fields.slice(at, at + 3).map((text) => text.trim());
    sides.push({ commit: id, subject, ...(task !== "" && { task }) });
  }
  return sides;
}
