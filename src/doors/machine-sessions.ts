import type { HostSessions } from "../extensions/index.ts";

/**
 * The sessions of all agents on this machine, for `pi.sessions` of the extensions of an agent of
 * `createAgent`. Without it `pi.sessions` refuses: a program that embeds an agent says itself whether
 * its extensions may hold and interrupt others.
 *
 * @example
 * import { createAgent, machineSessions } from "agentseam/host";
 *
 * const agent = await createAgent({ cwd: process.cwd(), otherSessions: machineSessions() });
 */
export function machineSessions(): HostSessions {
  // Most programs never ask: they do not read what talks to the daemon.
  const loaded = async () => (await import("../daemon/index.ts")).machineSessions();
  return {
    list: async () => (await loaded()).list(),
    hold: async (ref, by) => (await loaded()).hold(ref, by),
    release: async (ref, by) => (await loaded()).release(ref, by),
    say: async (ref, text, by) => (await loaded()).say(ref, text, by),
    interrupt: async (ref, by) => (await loaded()).interrupt(ref, by),
  };
}
