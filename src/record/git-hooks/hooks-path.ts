import { realpathSync } from "node:fs";
import { join } from "node:path";
import { readText, replaceFile } from "../../files/index.ts";
import { git, type Repo, runGit } from "../../git/index.ts";
import {
  configOf,
  type HooksFolder,
  INCLUDED,
  ownHooksFolder,
  workTreeConfig,
} from "./hooks-folder.ts";

type Instead = Extract<HooksFolder, { kind: "instead" }>;

/** The path is relative to the settings file that includes it. */
const INCLUDE = `seam/hooks/${INCLUDED}`;
const ONLY_OURS = "^seam/hooks/agentseam\\.config$";

/**
 * Makes git look into Seam's folder. The user's `core.hooksPath` is not touched: a file in Seam's
 * folder is included after it, only for a repository at this place. Where the repository is moved,
 * or Seam's folder deleted, git ignores that and runs the user's hooks as if Seam had never been there.
 */
export async function nameSeamsFolder(repo: Repo, { path, alone }: Instead): Promise<void> {
  await dropSeamsFolder(repo);
  replaceFile(join(path, INCLUDED), `[core]\n\thooksPath = ${quoted(path)}\n`);
  const file = alone ? workTreeConfig(repo) : repositoryConfig(repo);
  const at = pattern(realpathSync(alone ? repo.gitDir : repo.commonDir));
  for (const condition of alone ? [at] : [at, `${at}/worktrees/`]) {
    const args = ["config", "--file", file, "--add", `includeIf.gitdir:${condition}.path`, INCLUDE];
    await git(args, { cwd: repo.gitDir });
  }
}

/** Undoes that: git looks again where the user's settings say. */
export async function dropSeamsFolder(repo: Repo): Promise<void> {
  for (const file of filesNaming(repo)) {
    const at = ["config", "--file", file];
    const find = [...at, "-z", "--name-only", "--get-regexp", "^includeif\\..*\\.path$", ONLY_OURS];
    const { stdout } = await runGit(find, { cwd: repo.gitDir });
    for (const key of new Set(stdout.toString().split("\0").slice(0, -1))) {
      await git([...at, "--unset-all", key, ONLY_OURS], { cwd: repo.gitDir });
    }
  }
  await undoReplacements(repo);
}

/** Whether the settings say anything about hooks that is Seam's. */
export function namesSeamsFolder(repo: Repo): boolean {
  return filesNaming(repo).length > 0;
}

/**
 * Only the text is looked at: this is asked often, and a git process each time would cost too much.
 */
function filesNaming(repo: Repo): string[] {
  const own = [INCLUDE, "hooksPathBefore", ownHooksFolder(repo, false), ownHooksFolder(repo, true)];
  return [...new Set([repositoryConfig(repo), workTreeConfig(repo)])].filter((file) => {
    const text = readText(file);
    return text !== undefined && own.some((name) => text.includes(name));
  });
}

const repositoryConfig = (repo: Repo) => join(repo.commonDir, "config");

/** Where earlier versions kept the setting in whose place they put Seam's folder. */
const BEFORE_KEY = "seam.hooksPathBefore";

/** Gives back what an earlier version replaced. */
export async function undoReplacements(repo: Repo): Promise<void> {
  for (const file of filesNaming(repo)) await undoReplacement(repo, file);
}

/** Any path of Seam's folder counts, because the repository may have been moved since. */
async function undoReplacement(repo: Repo, file: string): Promise<void> {
  const cwd = repo.gitDir;
  const at = ["config", "--file", file];
  const setIn = async (key: string) => {
    const { stdout, code } = await runGit([...at, "--get", key], { cwd });
    return code === 0 ? stdout.toString().replace(/\n$/, "") : undefined;
  };
  const [before, now] = [await setIn(BEFORE_KEY), await setIn("core.hooksPath")];
  if (before !== undefined) await git([...at, "--unset-all", BEFORE_KEY], { cwd });
  const own = [ownHooksFolder(repo, false), ownHooksFolder(repo, true)];
  const isSeams = now && (own.includes(now) || (before && now.endsWith("/seam/hooks")));
  if (!isSeams) return;
  await git([...at, "--unset-all", "core.hooksPath"], { cwd });
  // The value returns to the settings it came from. If it came from others, it is still there.
  const isUsual = before === join(now, "../../hooks");
  if (before !== undefined && !isUsual && (await configOf(repo, "core.hooksPath")) !== before) {
    await git([...at, "core.hooksPath", before], { cwd });
  }
}

/** A path as a condition in git's settings needs it, where it is a pattern. */
const pattern = (path: string) => path.replace(/[\\*?[]/g, "\\$&");

const quoted = (value: string) => `"${value.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
