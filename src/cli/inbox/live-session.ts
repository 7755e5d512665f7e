import { askService, type DaemonPaths, type LiveSession } from "../../daemon/index.ts";
import { SeamError } from "../../errors/index.ts";

export async function liveSessions(paths: DaemonPaths): Promise<LiveSession[]> {
  const { sessions } = (await askService(paths, "GET", "/v1/live")) as { sessions: LiveSession[] };
  return sessions;
}

/** The one session whose id begins like this. */
export function sessionNamed(sessions: readonly LiveSession[], name: string): LiveSession {
  const found = sessions.filter(({ session }) => session.startsWith(name));
  const [only, ...more] = found.filter(({ session }) => session === name).concat(found);
  if (!only) throw new SeamError("SEAM_SESSION_UNKNOWN", { session: name });
  const others = more.filter((one) => one !== only);
  if (only.session !== name && others.length > 0) {
    const list = found.map(({ agent, session }) => `${session} (${agent})`).join(", ");
    throw new SeamError("SEAM_SESSION_SEVERAL", { session: name, found: list });
  }
  return only;
}
