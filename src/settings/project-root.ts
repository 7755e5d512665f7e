import { existsSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { isSeamHome, PROJECT_DIR, realOf } from "./paths.ts";
import { decidedProjects } from "./trust/agreements.ts";

/**
 * The project a folder belongs to: the nearest one above with a `.seam` or `.git`, or in which the user
 * decided what to trust, or itself. It has one name, by whichever links one came: what the user agreed
 * to is found by that name, also after somebody deleted what made the folder a project.
 */
export function projectRoot(cwd: string): string {
  const start = realOf(cwd);
  const { root } = parse(start);
  const decided = decidedProjects();
  for (let dir = start; ; dir = dirname(dir)) {
    if (isProject(dir) || (decided.has(dir) && !isSeamHome(dir))) return dir;
    if (dir === root) return start;
  }
}

function isProject(dir: string): boolean {
  // The user's own ~/.seam does not make the home folder a project.
  const seam = join(dir, PROJECT_DIR);
  return existsSync(join(dir, ".git")) || (existsSync(seam) && !isSeamHome(seam));
}
