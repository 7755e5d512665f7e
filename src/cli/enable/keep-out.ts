import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import {
  AGENTS,
  allRecords,
  HOOK_MARK,
  type InstallRecord,
  type Step,
} from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import {
  atRepo,
  git,
  ignoredPaths,
  openRepo,
  pathBytes,
  type RawPath,
  type Repo,
  rawPath,
} from "../../git/index.ts";
import { setExcluded } from "../../record/index.ts";
import type { Here } from "./here.ts";
import { changeOf } from "./print-steps.ts";

/** How the files that Seam wrote for one person stand with git in this project. */
export interface KeptOut {
  /** Git tracks them: no rule keeps them out of the next commit. */
  readonly tracked: readonly string[];
  /** Git would take them up with `git add -A`. */
  readonly exposed: readonly string[];
  /** Why Seam's lines could not be written. */
  readonly error?: SeamError;
}

/** A file of an agent, and where it is in the repository. */
interface InRepo {
  readonly name: string;
  readonly path: RawPath;
}

/** Keeps what `seam enable` wrote for one person out of commits, in this clone alone. */
export async function keepOut(at: Here): Promise<KeptOut> {
  const repo = await repoAt(at.place.project);
  if (!repo) return { tracked: [], exposed: [] };
  try {
    setExcluded(repo, await personalFiles(repo, at));
  } catch (error) {
    if (!(error instanceof SeamError)) throw error;
    return { ...(await standingInGit(at)), error };
  }
  return standingInGit(at);
}

/** Changes nothing. */
export async function standingInGit(at: Here): Promise<KeptOut> {
  const repo = await repoAt(at.place.project);
  if (!repo) return { tracked: [], exposed: [] };
  const files = personalRecords(at)
    .filter(({ root }) => root === at.place.project)
    .flatMap((record) => inRepo(repo, record.root, record.name) ?? []);
  const tracked = await trackedIn(repo, files);
  const ignored = await ignoredPaths(
    repo,
    files.map(({ path }) => path),
  );
  return {
    tracked: tracked.map(({ name }) => name),
    exposed: files
      .filter((file) => !tracked.includes(file) && !ignored.has(file.path))
      .map(({ name }) => name),
  };
}

/** Files of others that git tracks, into which Seam's entries would go now for the first time. */
export async function committedFiles(steps: readonly Step[], at: Here): Promise<string[]> {
  const repo = await repoAt(at.place.project);
  if (!repo) return [];
  const files = steps
    .filter((step) => changeOf(step) === "changed" && !step.before?.includes(HOOK_MARK))
    .flatMap(({ name }) => inRepo(repo, at.place.project, name) ?? []);
  return (await trackedIn(repo, files)).map(({ name }) => name);
}

/** The personal files in all work trees: git has one list for them. */
async function personalFiles(repo: Repo, at: Here): Promise<RawPath[]> {
  const paths: RawPath[] = [];
  for (const { root, name } of personalRecords(at)) {
    const there = root === at.place.project ? repo : await repoAt(root);
    if (there?.commonDir !== repo.commonDir) continue;
    paths.push(...(inRepo(there, root, name) ?? []).map(({ path }) => path));
  }
  return paths;
}

function personalRecords({ store, place }: Here): InstallRecord[] {
  return allRecords(store).filter(
    ({ level, shared, agent, name, root }) =>
      level === "project" &&
      !shared &&
      // Where an agent has two files, the last is the one for everybody.
      !isSharedFile(agent, name, { ...place, project: root }),
  );
}

function isSharedFile(agent: string, name: string, place: Here["place"]): boolean {
  const installer = AGENTS.find((one) => one.name === agent)?.hooks?.installer;
  const files = installer?.files({ level: "project", place }) ?? [];
  return files.length > 1 && files.at(-1) === name;
}

/** Undefined where there is no work tree. */
async function repoAt(folder: string): Promise<Repo | undefined> {
  const repo = await openRepo(folder).catch(() => undefined);
  return repo?.workTree === undefined ? undefined : repo;
}

function inRepo({ workTree = "" }: Repo, root: string, name: string): InRepo[] | undefined {
  const path = relative(workTree, join(realpathSync(root), relative(root, name)));
  return path.startsWith("../") ? undefined : [{ name, path: rawPath(path) }];
}

async function trackedIn(repo: Repo, files: readonly InRepo[]): Promise<InRepo[]> {
  const { workTree } = repo;
  if (workTree === undefined || files.length === 0) return [];
  const args = [...atRepo(repo), "--work-tree", workTree, "--literal-pathspecs", "ls-files", "-z"];
  const names = files.map(({ path }) => pathBytes(path).toString());
  const found = await git([...args, "--", ...names], { cwd: workTree });
  const tracked = new Set(found.toString("latin1").split("\0"));
  return files.filter(({ path }) => tracked.has(path));
}
