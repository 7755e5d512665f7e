import type { AgentFolders } from "../agent.ts";
import type { Finding } from "./installer.ts";

/** For agents that read a project's settings only in the folder they are started in. */
export function startFolderFinding(title: string, { project }: AgentFolders): Finding {
  return {
    level: "info",
    code: "start-folder",
    text: `${title} reads these hooks only when it is started in ${project} itself, not in a folder below.`,
    next: "To have them everywhere: seam enable --level user",
  };
}
