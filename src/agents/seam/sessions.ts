import { join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { sessions as pi } from "../pi/sessions.ts";
import type { SessionStore } from "../sessions/session-store.ts";

/** The embedded agent writes Pi's format, into a folder of its own. */
export const sessions: SessionStore = {
  ...pi,
  dir: (place) => pi.dir(moved(place)),
  file: (place, sessionId) => pi.file(moved(place), sessionId),
  read: async (place, sessionId) => {
    const session = await pi.read(moved(place), sessionId);
    return session && { ...session, agent: "seam" };
  },
  write: (place, session) => pi.write(moved(place), session),
  everywhere: async ({ projects, ...folders }) =>
    (await pi.everywhere?.({ ...moved({ ...folders, project: "" }), projects })) ?? [],
  resumeCommand: (sessionId) => ["seam", "run", "--resume", sessionId, "-p"],
};

function moved(place: AgentFolders): AgentFolders {
  const { SEAM_HOME } = place.env;
  const env = { PI_CODING_AGENT_DIR: SEAM_HOME || join(place.home, ".seam") };
  return { ...place, env };
}
