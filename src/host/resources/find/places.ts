import { join, resolve } from "node:path";
import type { SourceInfo } from "../../../extensions/index.ts";
import { PROJECT_DIR, projectRoot, seamHome } from "../../../settings/index.ts";

/** A file or folder that is searched. */
export interface Place {
  path: string;
  scope: SourceInfo["scope"];
  /** Links that lead out of this folder are not followed: whoever wrote the project made them. */
  within?: string;
  /** Somebody named it, so it must be there. */
  named: boolean;
}

export interface SearchOptions {
  cwd: string;
  /** What extensions answered to `resources_discover`. */
  extraPaths?: readonly string[];
}

/**
 * Where resources of a kind are looked for. What is found first wins. Rules hold the agent back, so
 * a project's cannot take the place of the user's; its skills and prompts know the project better.
 */
export function placesOf(kind: "skills" | "prompts" | "rules", options: SearchOptions): Place[] {
  const { cwd, extraPaths = [] } = options;
  const root = projectRoot(resolve(cwd));
  const project = (folder: string): Place => ({
    path: join(root, folder, kind),
    scope: "project",
    within: root,
    named: false,
  });
  const own = [
    project(PROJECT_DIR),
    { path: join(seamHome(), kind), scope: "user" as const, named: false },
  ];
  return [
    ...(kind === "rules" ? own.reverse() : own),
    // Only skills have a form that other agents share.
    ...(kind === "skills" ? [project(".claude"), project(".agents")] : []),
    ...extraPaths.map(
      (path): Place => ({ path: resolve(cwd, path), scope: "temporary", named: true }),
    ),
  ];
}
