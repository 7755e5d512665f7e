import { type HostSessions, lazySessions } from "../extensions/index.ts";

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
  return lazySessions(async () => (await import("../daemon/index.ts")).machineSessions());
}
