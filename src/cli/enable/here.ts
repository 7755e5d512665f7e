import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentFolders, Level } from "../../agents/index.ts";
import { usageError } from "../../errors/index.ts";
import { PROJECT_DIR, projectRoot, seamHome } from "../../settings/index.ts";

/** Where a command about agents was started. */
export interface Here {
  readonly place: AgentFolders;
  /** Seam's folder. */
  readonly store: string;
  /** False in a folder that belongs to no project. */
  readonly isProject: boolean;
}

export function here(): Here {
  const home = homedir();
  const project = projectRoot(process.cwd());
  const marked = [".git", PROJECT_DIR].some((name) => existsSync(join(project, name)));
  return {
    place: { project, home, env: process.env },
    store: seamHome(),
    // A home folder under git is no project: its files of agents are those of the user.
    isProject: marked && project !== home,
  };
}

/** The level asked for, or the one that fits the place. */
export function levelFor(asked: string | undefined, { isProject, place }: Here): Level {
  if (asked === undefined) return isProject ? "project" : "user";
  if (asked !== "project" && asked !== "user") {
    throw usageError(`There is no level "${asked}".`, "Use --level project or --level user.");
  }
  if (asked === "project" && !isProject) {
    throw usageError(
      `${place.project} is no project: it has no .git and no .seam.`,
      "Go to a project, make this one with git init, or use --level user for all of yours.",
    );
  }
  return asked;
}
