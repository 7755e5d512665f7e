import type { HostSessions, OtherSession, SessionRef } from "../extensions/index.ts";
import { askService } from "./ask-service.ts";
import { type DaemonPaths, daemonPaths } from "./daemon-paths.ts";
import type { Ends } from "./presence/interruptions.ts";
import type { Reaches } from "./presence/lead-sessions.ts";
import type { LiveSession } from "./presence/live-session.ts";

/** The sessions of all agents on this machine, for extensions: what they want goes to the daemon. */
export function machineSessions(paths: () => DaemonPaths = daemonPaths): HostSessions {
  const order = (what: string, ref: SessionRef, by: string, more: object = {}) => {
    const { agent, session } = ref;
    return askService(paths(), "POST", `/v1/live/${what}`, { agent, session, by, ...more });
  };
  return {
    async list() {
      const { sessions } = (await askService(paths(), "GET", "/v1/live")) as {
        sessions: readonly LiveSession[];
      };
      return sessions.map(shown);
    },
    hold: async (ref, by) => void (await order("hold", ref, by)),
    release: async (ref, by) => void (await order("hold", ref, by, { off: true })),
    async say(ref, text, by) {
      const { when } = (await order("say", ref, by, { text })) as { when: Reaches };
      return when;
    },
    async interrupt(ref, by) {
      const { ends } = (await order("interrupt", ref, by)) as { ends: Ends };
      return ends;
    },
  };
}

function shown(live: LiveSession): OtherSession {
  const { agent, session, cwd, phase, at, isHeld = false, prompt, lastWords } = live;
  return {
    agent,
    session,
    cwd,
    phase,
    at,
    isHeld,
    ...(prompt !== undefined && { prompt }),
    ...(lastWords !== undefined && { lastWords }),
  };
}
