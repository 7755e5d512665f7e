import { createHash } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import { join } from "node:path";
import { loadUserSettings } from "../../settings/index.ts";
import { openCrewDatabase } from "../database/open-crew-database.ts";
import { Crew } from "../runs/crew.ts";
import type { Outside } from "../runs/crew-context.ts";

const DEFAULT_AT_ONCE = 4;
const PROOF_MINUTES = 30;

/** The file in which the crews of one user are, unless the settings name a server. */
export const crewFile = (home: string) => join(home, "crew", "crew.db");

/** The crews of this user on this machine, as the settings say. */
export async function openLocalCrew(home: string, outside: Outside): Promise<Crew> {
  const { crew: settings } = loadUserSettings();
  const { atOnce = DEFAULT_AT_ONCE, atOnceFor = {}, dayBudget = {}, slots } = settings;
  const { leaseSeconds } = settings;
  return Crew.open({
    database: await openCrewDatabase(settings.database ?? crewFile(home)),
    home,
    worker: settings.name ?? workerName(home),
    pools: [],
    isShared: settings.database !== undefined,
    ...(leaseSeconds !== undefined && { leaseMs: leaseSeconds * 1_000 }),
    ...(slots !== undefined && { slots }),
    limits: {
      concurrency: {
        agents: atOnceFor,
        pools: {},
        machine: Math.max(1, Math.min(atOnce, 16 * availableParallelism())),
      },
      day: dayBudget,
      proofMs: (settings.proofMinutes ?? PROOF_MINUTES) * 60_000,
    },
    outside,
  });
}

/** The same after every restart, and another one for another home on the same machine. */
function workerName(home: string): string {
  return `${hostname()}-${createHash("sha256").update(home).digest("hex").slice(0, 6)}`;
}
