import { existsSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { LARGE_FILE, readRegularText, replaceFile } from "../../files/index.ts";
import { atRepo, git, type Repo, runGit } from "../../git/index.ts";
import { seamDirOf } from "../seam-dir.ts";
import {
  BEFORE_KEY,
  configOf,
  type HooksFolder,
  hooksFolder,
  ownHooksFolder,
  workTreeConfig,
} from "./hooks-folder.ts";
import {
  BEFORE_SUFFIX,
  GIT_HOOKS,
  type GitHookName,
  hookScript,
  MARKER,
  passOnScript,
} from "./script.ts";

export type HookHealth = "ok" | "missing" | "replaced" | "outdated";

/** Hooks of git that Seam's folder has to pass on where it takes the place of another one. */
const OTHER_HOOKS = [
  "applypatch-msg",
  "pre-applypatch",
  "post-applypatch",
  "pre-commit",
  "pre-merge-commit",
  "pre-rebase",
  "post-checkout",
  "post-merge",
  "pre-auto-gc",
  "sendemail-validate",
  "fsmonitor-watchman",
  "p4-changelist",
  "p4-prepare-changelist",
  "p4-post-changelist",
  "p4-pre-submit",
  "post-index-change",
  "reference-transaction",
] as const;

const PROGRAM = { mode: 0o755 };

/**
 * Puts Seam's git hooks in place; returns those that were not. Safe to call at any time. `onLost` is
 * told of what something else took away since, not of what is only older.
 */
export async function installGitHooks(
  repo: Repo,
  onLost?: (what: string) => void,
): Promise<GitHookName[]> {
  const folder = await hooksFolder(repo);
  const changed: GitHookName[] = [];
  mkdirSync(folder.path, { recursive: true });
  for (const hook of GIT_HOOKS) {
    const script = scriptFor(repo, folder, hook);
    const path = join(folder.path, hook);
    if (textOf(path) === script) continue;
    if (!isOurs(path)) onLost?.(hook);
    if (folder.kind === "beside") keepWhatIsThere(path);
    replaceFile(path, script, PROGRAM);
    changed.push(hook);
  }
  if (folder.kind === "instead") {
    if (!folder.active) onLost?.("core.hooksPath");
    for (const hook of OTHER_HOOKS) {
      replaceFile(
        join(folder.path, hook),
        passOnScript(quoted(join(folder.before, hook))),
        PROGRAM,
      );
    }
    await takeOver(repo, folder);
  }
  return changed;
}

/** Takes Seam's git hooks out; what was there before is there again. Safe to call at any time. */
export async function removeGitHooks(repo: Repo): Promise<void> {
  const folder = await hooksFolder(repo);
  if (folder.kind === "instead") {
    // Somebody may have named another folder since, which is none of Seam's business.
    if (folder.active) await giveBack(repo, folder.alone);
    rmSync(ownHooksFolder(repo, folder.alone), { recursive: true, force: true });
    return;
  }
  for (const hook of GIT_HOOKS) {
    const path = join(folder.path, hook);
    if (!isOurs(path)) continue;
    if (existsSync(path + BEFORE_SUFFIX)) renameSync(path + BEFORE_SUFFIX, path);
    else rmSync(path);
  }
}

/** Takes them out of one work tree whose own settings say where its hooks are. */
export async function removeOwnGitHooks(repo: Repo): Promise<void> {
  const folder = await hooksFolder(repo);
  if (folder.kind === "instead" && folder.alone && folder.active) await removeGitHooks(repo);
}

export async function gitHooksHealth(repo: Repo): Promise<Record<GitHookName, HookHealth>> {
  const folder = await hooksFolder(repo);
  const active = folder.kind === "beside" || folder.active;
  const entries = GIT_HOOKS.map((hook): [GitHookName, HookHealth] => {
    const path = join(folder.path, hook);
    const text = active ? textOf(path) : undefined;
    if (text === undefined) return [hook, "missing"];
    if (text === scriptFor(repo, folder, hook)) return [hook, "ok"];
    return [hook, text.includes(MARKER) ? "outdated" : "replaced"];
  });
  return Object.fromEntries(entries) as Record<GitHookName, HookHealth>;
}

function scriptFor(repo: Repo, folder: HooksFolder, hook: GitHookName): string {
  if (folder.kind === "instead") {
    const before = quoted(join(folder.before, hook));
    const seamDir = folder.alone ? quoted(seamDirOf(repo)) : `"\${0%/*}/.."`;
    return hookScript(hook, { seamDir, before });
  }
  // Relative where it can be, so that a repository may be moved.
  const isUsual = relative(repo.commonDir, folder.path) === "hooks";
  const seamDir = isUsual ? `"\${0%/*}/../seam"` : quoted(seamDirOf(repo));
  return hookScript(hook, { seamDir, before: `"$0${BEFORE_SUFFIX}"` });
}

/** A hook of someone else's stays and is run first; an older one that it replaced is kept too. */
function keepWhatIsThere(path: string): void {
  if (!isThere(path) || isOurs(path)) return;
  const before = path + BEFORE_SUFFIX;
  if (isThere(before) && textOf(before) !== textOf(path)) renameSync(before, `${before}-old`);
  renameSync(path, before);
}

type Instead = Extract<HooksFolder, { kind: "instead" }>;

async function takeOver(repo: Repo, { before, path, alone }: Instead): Promise<void> {
  const cwd = repo.workTree ?? repo.gitDir;
  const where = settingsAt(repo, alone);
  await git([...where, BEFORE_KEY, before], { cwd });
  await git([...where, "core.hooksPath", path], { cwd });
}

/** Arguments for the settings that say where the hooks are. */
function settingsAt(repo: Repo, alone: boolean): string[] {
  const which = alone ? ["--file", workTreeConfig(repo)] : ["--local"];
  return [...atRepo(repo), "config", ...which];
}

/** The value goes back to where it came from: if it was not this repository's, it is there still. */
async function giveBack(repo: Repo, alone: boolean): Promise<void> {
  const cwd = repo.workTree ?? repo.gitDir;
  const before = await configOf(repo, BEFORE_KEY);
  const where = settingsAt(repo, alone);
  await runGit([...where, "--unset-all", "core.hooksPath"], { cwd });
  await runGit([...where, "--unset-all", BEFORE_KEY], { cwd });
  const inherited = await configOf(repo, "core.hooksPath");
  const isUsual = before === join(repo.commonDir, "hooks");
  if (before !== undefined && !isUsual && inherited !== before) {
    await git([...where, "core.hooksPath", before], { cwd });
  }
}

function isOurs(path: string): boolean {
  return textOf(path)?.includes(MARKER) ?? false;
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readRegularText(path, LARGE_FILE);
  } catch {
    return undefined;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
