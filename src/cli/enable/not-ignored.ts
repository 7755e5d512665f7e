import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { Step } from "../../agents/index.ts";
import { ignoredPaths, openRepo, rawPath } from "../../git/index.ts";
import type { Here } from "./here.ts";
import { changeOf } from "./print-steps.ts";

/** Files that were made in a repository and that git would now offer for a commit. */
export async function notIgnored(
  steps: readonly Step[],
  { place }: Here,
  shared: boolean,
): Promise<string[]> {
  if (shared) return [];
  const made = steps
    .filter((step) => changeOf(step) === "created" && step.name.startsWith(`${place.project}/`))
    .map(({ name }) => name);
  const repo = await openRepo(place.project).catch(() => undefined);
  const { workTree } = repo ?? {};
  if (!repo || workTree === undefined) return [];
  const real = realpathSync(place.project);
  const inRepo = (path: string) =>
    rawPath(relative(workTree, join(real, relative(place.project, path))));
  const ignored = await ignoredPaths(repo, made.map(inRepo)).catch(() => undefined);
  return made.filter((path) => ignored?.has(inRepo(path)) === false);
}
