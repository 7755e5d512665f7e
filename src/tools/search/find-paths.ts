import { throwIfAborted } from "../abort.ts";
import { findProgram } from "../find-program.ts";
import { globToRegExp } from "./glob.ts";
import { programRecords } from "./program-records.ts";
import { walk } from "./walk.ts";

/** Together these make fd list what our own walk lists. */
const FD_ARGUMENTS = [
  "--hidden",
  "--no-require-git",
  "--no-global-ignore-file",
  "--exclude=.git",
  "--color=never",
  "--print0",
  ".",
];

/**
 * All paths below a folder that match, folders with "/" at the end. fd only lists, because it is
 * fast at that; the pattern is matched here, so the result is the same without it.
 */
export async function findPaths(
  pattern: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const matches = pathMatcher(pattern);
  const fd = await findProgram("fd", "fdfind");
  if (!fd) return matching(matches, listByWalking(folder, signal));
  try {
    return await matching(matches, listWithFd(fd, folder, signal));
  } catch {
    throwIfAborted(signal);
    // One too old to know an option, for example.
    return matching(matches, listByWalking(folder, signal));
  }
}

async function matching(expression: RegExp, paths: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const path of paths) {
    if (expression.test(path.replace(/\/$/, ""))) found.push(path);
  }
  return found;
}

/** Like a line of .gitignore: a name matches at any depth, and so does a path that is not anchored. */
function pathMatcher(pattern: string): RegExp {
  const anchored = /^\.?\//.exec(pattern);
  const glob = anchored ? pattern.slice(anchored[0].length) : `**/${pattern}`;
  return globToRegExp(glob.replace(/\/$/, ""), { braces: true });
}

async function* listWithFd(
  fd: string,
  folder: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const options = { cwd: folder, separator: "\0", signal } as const;
  for await (const path of programRecords(fd, FD_ARGUMENTS, options))
    yield path.replace(/^\.\//, "");
}

async function* listByWalking(
  folder: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  for await (const { path, kind } of walk(folder, signal)) {
    yield kind === "folder" ? `${path}/` : path;
  }
}
