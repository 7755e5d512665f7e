import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentFolders, Presence, Program } from "./agent.ts";
import { programPath } from "./program.ts";

/** Looks for an agent by the files it leaves in projects, and for its program. */
export function detectBy(
  program: Program,
  files: readonly string[],
): (place: AgentFolders) => Presence {
  return (place) => {
    const path = programPath(program, place);
    return {
      configured: files.some((file) => existsSync(join(place.project, file))),
      ...(path && { program: path }),
    };
  };
}
