import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { LARGE_FILE, leadsOutside, readRegularText, replaceFile } from "../../files/index.ts";
import type { Repo } from "../../git/index.ts";
import { seamDirOf } from "../seam-dir.ts";
import {
  type HooksFolder,
  hooksFolder,
  INCLUDED,
  ownHooksFolder,
  usualHooksFolder,
} from "./hooks-folder.ts";
import {
  dropSeamsFolder,
  nameSeamsFolder,
  namesSeamsFolder,
  undoReplacements,
} from "./hooks-path.ts";
import {
  BEFORE_SUFFIX,
  GIT_HOOKS,
  type GitHookName,
  hookScript,
  MARKER,
  MARKS,
  passOnScript,
  RESTING_SUFFIX,
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
  await undoReplacements(repo);
  const folder = await hooksFolder(repo);
  const changed: GitHookName[] = [];
  mkdirSync(folder.path, { recursive: true });
  for (const hook of GIT_HOOKS) {
    const script = scriptFor(repo, folder, hook);
    const path = placeOf(repo, folder, hook);
    if (textOf(path) === script) continue;
    if (!isOurs(path)) onLost?.(hook);
    if (folder.kind === "beside") keepWhatIsThere(path);
    replaceFile(path, script, PROGRAM);
    changed.push(hook);
  }
  if (folder.kind === "beside") {
    // The user named this folder after git had been told to look into Seam's.
    await removeOwnFolders(repo);
    return changed;
  }
  for (const hook of OTHER_HOOKS) {
    const [path, script] = [join(folder.path, hook), passOnScript(passedOn(repo, folder, hook))];
    if (textOf(path) !== script) replaceFile(path, script, PROGRAM);
  }
  if (!folder.active) {
    onLost?.("core.hooksPath");
    await nameSeamsFolder(repo, folder);
  }
  // Hooks from before the user named a folder: git would never run them, or run them twice.
  const usual = usualHooksFolder(repo);
  if (usual !== undefined) removeBeside(usual);
  return changed;
}

/** Whether git looks into Seam's folder, which runs the hooks of the folder that the user named. */
export async function passesHooksOn(repo: Repo): Promise<boolean> {
  const folder = await hooksFolder(repo);
  return folder.kind === "instead" && folder.active;
}

/** Takes Seam's git hooks out; what was there before is there again. Safe to call at any time. */
export async function removeGitHooks(repo: Repo): Promise<void> {
  await removeOwnFolders(repo);
  for (const place of await besideIn(repo)) removeBeside(place);
}

/** Whether there is anything to take out, also where nothing is recorded any more. */
export async function hasGitHooks(repo: Repo): Promise<boolean> {
  if (namesSeamsFolder(repo) || ownFoldersOf(repo).length > 0) return true;
  return (await besideIn(repo)).some((place) => oursIn(place).length > 0);
}

/** Folders of the user's in which Seam's hooks may be. */
async function besideIn(repo: Repo): Promise<string[]> {
  const folder = await hooksFolder(repo);
  const usual = usualHooksFolder(repo);
  const places = [...(usual ? [usual] : []), ...(folder.kind === "beside" ? [folder.path] : [])];
  return [...new Set(places)];
}

/** Takes them out of one work tree whose own settings say where its hooks are. */
export async function removeOwnGitHooks(repo: Repo): Promise<void> {
  const folder = await hooksFolder(repo);
  if (folder.kind === "instead" && folder.alone && folder.active) await removeGitHooks(repo);
}

/**
 * Git is told first and the folder removed afterwards, so that git never looks into a missing one.
 */
async function removeOwnFolders(repo: Repo): Promise<void> {
  await dropSeamsFolder(repo);
  for (const path of ownFoldersOf(repo)) rmSync(path, { recursive: true, force: true });
}

function ownFoldersOf(repo: Repo): string[] {
  const own = [ownHooksFolder(repo, false), ownHooksFolder(repo, true)];
  return own.filter((path) => isThere(path) && !leadsOutside(path, repo.commonDir));
}

function oursIn(folder: string): string[] {
  const paths = GIT_HOOKS.map((hook) => join(folder, hook));
  return paths.flatMap((path) => [path, path + RESTING_SUFFIX]).filter(isOurs);
}

/** The path of a hook. A hook that rested gets its name back here if it has something to do. */
function placeOf(repo: Repo, folder: HooksFolder, hook: GitHookName): string {
  const path = join(folder.path, hook);
  if (restsIn(folder, hook) && !isMarked(repo, hook)) return path + RESTING_SUFFIX;
  const resting = path + RESTING_SUFFIX;
  if (!isOurs(resting)) return path;
  try {
    if (isThere(path)) rmSync(resting, { force: true });
    else renameSync(resting, path);
  } catch (error) {
    // A commit may have renamed it first.
    if (!isThere(path)) throw error;
  }
  return path;
}

/** No hook rests in Seam's own folder: the user may add one to the other folder at any time. */
function restsIn(folder: HooksFolder, hook: GitHookName): boolean {
  if (folder.kind === "instead" || MARKS[hook] === undefined) return false;
  const path = join(folder.path, hook);
  return !isThere(path) && !isThere(path + BEFORE_SUFFIX);
}

function isMarked(repo: Repo, hook: GitHookName): boolean {
  return (MARKS[hook] ?? []).some((mark) => isThere(join(seamDirOf(repo), mark)));
}

function removeBeside(folder: string): void {
  for (const path of oursIn(folder)) {
    if (isThere(path + BEFORE_SUFFIX)) renameSync(path + BEFORE_SUFFIX, path);
    else rmSync(path);
  }
}

export async function gitHooksHealth(repo: Repo): Promise<Record<GitHookName, HookHealth>> {
  const folder = await hooksFolder(repo);
  const active = folder.kind === "beside" || folder.active;
  const entries = GIT_HOOKS.map((hook): [GitHookName, HookHealth] => {
    const path = join(folder.path, hook);
    const place = restsIn(folder, hook) ? path + RESTING_SUFFIX : path;
    const text = active ? textOf(place) : undefined;
    if (text === undefined) return [hook, "missing"];
    if (text === scriptFor(repo, folder, hook)) return [hook, "ok"];
    return [hook, text.includes(MARKER) ? "outdated" : "replaced"];
  });
  return Object.fromEntries(entries) as Record<GitHookName, HookHealth>;
}

function scriptFor(repo: Repo, folder: HooksFolder, hook: GitHookName): string {
  if (folder.kind === "instead") {
    const seamDir = folder.alone ? quoted(seamDirOf(repo)) : `"\${0%/*}/.."`;
    return hookScript(hook, { seamDir, before: passedOn(repo, folder, hook), rests: false });
  }
  // Relative where it can be, so that a repository may be moved.
  const isUsual = relative(repo.commonDir, folder.path) === "hooks";
  const seamDir = isUsual ? `"\${0%/*}/../seam"` : quoted(seamDirOf(repo));
  return hookScript(hook, { seamDir, before: `b="$0${BEFORE_SUFFIX}"`, rests: true });
}

/** A hook of someone else's stays and is run first; an older one that it replaced is kept too. */
function keepWhatIsThere(path: string): void {
  if (!isThere(path) || isOurs(path)) return;
  const before = path + BEFORE_SUFFIX;
  if (isThere(before) && textOf(before) !== textOf(path)) renameSync(before, `${before}-old`);
  renameSync(path, before);
}

type Instead = Extract<HooksFolder, { kind: "instead" }>;

/** The file beside Seam's hooks that holds what git said last, and to which process of git. */
const ASKED = "passed-on";

/**
 * Shell commands that set `$b` to the user's own hook. Git is asked by the first hook of each of its
 * processes: the user, or a tool like husky, may name another folder at any time, and its hooks must
 * run from the next commit on. A process of git reads its settings once, so what it said holds for
 * its other hooks: there are up to ten in a commit. Where nothing tells that a process is the same,
 * git is asked each time. The last folder that is not Seam's is meant, and git's usual one if there
 * is none.
 */
function passedOn(repo: Repo, { alone }: Instead, hook: string): string {
  const usual = alone ? quoted(join(repo.commonDir, "hooks")) : `"\${0%/*}/../../hooks"`;
  return `k= x= l= e=
started() { [ $# -lt 20 ] || { shift 19; k="$PPID $1"; }; }
{ IFS= read -r x </proc/$PPID/stat && IFS= read -r l </proc/sys/kernel/random/boot_id; } 2>/dev/null &&
  started \${x##*) } && k="$k $l"
l= b=
{ IFS= read -r l && IFS= read -r b && IFS= read -r e; } 2>/dev/null <"\${0%/*}/${ASKED}"
if [ -z "$k" ] || [ "$l$e" != "$k." ]; then
  b=$(
    b=${usual}
    git config --type=path --get-all core.hooksPath | {
      while IFS= read -r p; do [ -e "$p/${INCLUDED}" ] || b=$p; done
      printf '%s' "$b"
    }
  )
  [ -z "$k" ] || { printf '%s\\n' "$k" "$b" . >"\${0%/*}/${ASKED}"; } 2>/dev/null
fi
b=$b/${hook}`;
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
