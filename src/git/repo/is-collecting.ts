import { hostname } from "node:os";
import { join } from "node:path";
import { isRunning } from "../../files/index.ts";
import type { Repo } from "./repo.ts";
import { readSmall } from "./small-file.ts";

/** Whether `git gc` is at work in this repository, which may delete what nothing refers to yet. */
export function isCollecting(repo: Repo): boolean {
  const text = readSmall(join(repo.commonDir, "gc.pid"));
  const [, pid, host] = /^(\d+) (\S+)/.exec(text ?? "") ?? [];
  if (pid === undefined) return false;
  // On another machine that shares the folder, nobody can tell.
  if (host !== hostname()) return true;
  return isRunning(Number(pid));
}
