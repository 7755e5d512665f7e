import { spawnSync } from "node:child_process";
import type { Step } from "../../agents/index.ts";
import type { Here } from "./here.ts";
import { changeOf } from "./print-steps.ts";

/** Files that were made in a repository and that git would now offer for a commit. */
export function notIgnored(steps: readonly Step[], { place }: Here, shared: boolean): string[] {
  if (shared) return [];
  const made = steps
    .filter((step) => changeOf(step) === "created" && step.name.startsWith(`${place.project}/`))
    .map(({ name }) => name);
  return made.filter((path) => {
    const asked = spawnSync("git", ["check-ignore", "-q", "--", path], { cwd: place.project });
    // 0: ignored. 1: not. Anything else: no repository.
    return asked.status === 1;
  });
}
