/** A setting of git for one call: `core.fsmonitor`, `false`. */
export type Setting = readonly [key: string, value: string];

/**
 * What every call of git is told, whatever the repository says. A `.git` folder can come with an
 * archive, so its configuration is somebody else's word: git runs no program that it names. What
 * names a program under a key that an attacker may choose is in `own-filters.ts` and
 * `own-merge-drivers.ts`.
 */
const ALWAYS: readonly Setting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.alternateRefsCommand", "true"],
  ["commit.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["submodule.recurse", "false"],
  ["status.submoduleSummary", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  // A folder that only looks like a repository is none: Seam says which one it means.
  ["safe.bareRepository", "explicit"],
];

/** Commands that bring the content of files of the work tree into git's form, or back. */
const FILTERING: ReadonlySet<string> = new Set([
  "add",
  "archive",
  "checkout",
  "checkout-index",
  "commit",
  "diff-files",
  "hash-object",
  "merge",
  "merge-tree",
  "read-tree",
  "reset",
  "restore",
  "stash",
  "status",
  "switch",
  "update-index",
  "worktree",
]);

/** The command among the arguments of git. */
export function commandOf(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (["-c", "-C", "--git-dir", "--work-tree"].includes(arg)) at++;
    else if (!arg.startsWith("-")) return arg;
  }
  return "";
}

/** The arguments that git is started with. `asked` settings win over those for every call. */
export function gitArguments(args: readonly string[], asked?: readonly Setting[]): string[] {
  const command = commandOf(args);
  // It runs nothing, and is asked what the files say.
  if (command === "config") return [...args];
  if (asked === undefined && FILTERING.has(command)) {
    throw new TypeError(`git ${command} may run filters: say which (ownFilters)`);
  }
  const settings = [...ALWAYS, ...(asked ?? [])];
  return [...settings.flatMap(([key, value]) => ["-c", `${key}=${value}`]), ...args];
}
