import type { HostSessions } from "../../extensions/index.ts";

/** The sessions of other agents, for extensions of a run. The daemon is loaded with the first wish. */
export function otherSessions(): HostSessions {
  const loaded = async () => (await import("../../daemon/index.ts")).machineSessions();
  return {
    list: async () => (await loaded()).list(),
    hold: async (ref, by) => (await loaded()).hold(ref, by),
    release: async (ref, by) => (await loaded()).release(ref, by),
    say: async (ref, text, by) => (await loaded()).say(ref, text, by),
    interrupt: async (ref, by) => (await loaded()).interrupt(ref, by),
  };
}
