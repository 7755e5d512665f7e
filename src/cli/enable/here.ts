import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentFolders, Level } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
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
    const detail = `There is no level "${asked}". It is project or user.`;
    throw new SeamError("SEAM_USAGE", { detail });
  }
  if (asked === "project" && !isProject) {
    const detail = `${place.project} is no project: it has no .git and no .seam. Use --level user.`;
    throw new SeamError("SEAM_USAGE", { detail });
  }
  return asked;
}
