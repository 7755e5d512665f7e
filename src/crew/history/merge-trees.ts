import { SeamError } from "../../errors/index.ts";
import {
  atRepo,
  git,
  ownFilters,
  ownMergeDrivers,
  type RawPath,
  type Repo,
  runGit,
  shownPath,
} from "../../git/index.ts";

/** A file of which both sides have another version: stage 1 is the common one, 2 ours, 3 theirs. */
interface Stage {
  readonly mode: string;
  readonly id: string;
  readonly stage: string;
  readonly path: RawPath;
}

export interface Conflict {
  /** What git could merge; files in conflict have both sides between marks. */
  readonly markedTree: string;
  readonly stages: readonly Stage[];
  readonly files: readonly string[];
  /** git's own words: what kind of conflict is in which file. */
  readonly words: readonly string[];
}

export type Merged = { readonly tree: string } | { readonly conflict: Conflict };

/** Merges two commits in memory: no checkout, no index. Needs git 2.38. */
export async function mergeTrees(repo: Repo, ours: string, theirs: string): Promise<Merged> {
  const settings = [...(await ownFilters(repo)), ...(await ownMergeDrivers(repo))];
  const args = ["merge-tree", "--write-tree", "-z", "--messages"];
  const all = [...atRepo(repo), ...args, "--allow-unrelated-histories", ours, theirs];
  const { stdout, stderr, code } = await runGit(all, { cwd: repo.gitDir, settings });
  if (code === 0 || code === 1) return parse(stdout, code === 1);
  await requireMergeTree(repo);
  throw new SeamError("SEAM_GIT", {
    command: "merge-tree",
    detail: stderr.trim() || `exit code ${code}`,
    cwd: repo.workTree ?? repo.gitDir,
  });
}

/** Throws if this git cannot merge without a checkout. */
export async function requireMergeTree(repo: Repo): Promise<void> {
  const text = (await git(["version"], { cwd: repo.gitDir })).toString();
  const [, version = text.trim(), major, minor] = /((\d+)\.(\d+)\S*)/.exec(text) ?? [];
  if (Number(major) * 100 + Number(minor) >= 238) return;
  throw new SeamError("SEAM_CREW_GIT_OLD", { version });
}

/** `tree NUL { mode id stage TAB path NUL } NUL { count NUL { path NUL } type NUL text NUL }` */
function parse(output: Buffer, isConflict: boolean): Merged {
  const fields = output.toString("latin1").split("\0");
  const [tree = ""] = fields;
  if (!isConflict) return { tree };
  const end = fields.indexOf("", 1);
  const stages = fields.slice(1, end).flatMap((field): Stage[] => {
    const [, mode, id, stage, path] = /^(\d+) (\w+) (\d)\t(.*)$/s.exec(field) ?? [];
    if (mode === undefined || id === undefined || stage === undefined) return [];
    return [{ mode, id, stage, path: path as RawPath }];
  });
  const files = [...new Set(stages.map(({ path }) => path))].map(shownPath);
  return { conflict: { markedTree: tree, stages, files, words: wordsIn(fields.slice(end + 1)) } };
}

function wordsIn(fields: readonly string[]): string[] {
  const words: string[] = [];
  for (let at = 0; at < fields.length; ) {
    const paths = Number(fields[at] || Number.NaN);
    if (!Number.isInteger(paths)) break;
    const [type = "", text = ""] = fields.slice(at + 1 + paths, at + 3 + paths);
    if (/conflict/i.test(type)) words.push(Buffer.from(text, "latin1").toString().trim());
    at += 3 + paths;
  }
  return words;
}
