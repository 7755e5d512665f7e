import { createHash } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import { loadUserSettings } from "../../settings/index.ts";
import { openCrewDatabase } from "../database/open-crew-database.ts";
import { Crew, type CrewOptions } from "../runs/crew.ts";
import type { Outside } from "../runs/crew-context.ts";
import { crewFile } from "./crew-file.ts";

const DEFAULT_AT_ONCE = 4;
const PROOF_MINUTES = 30;
/** A server that is merely busy is not taken for one that is gone, however short the lease is. */
const LEAST_SILENCE_MS = 5_000;

/** The crews of this user on this machine, as the settings say. */
export async function openLocalCrew(home: string, outside: Outside): Promise<Crew> {
  const { crew: settings } = loadUserSettings();
  const { atOnce = DEFAULT_AT_ONCE, atOnceFor = {}, atOnceIn = {} } = settings;
  const { dayBudget = {}, slots } = settings;
  const leaseMs = settings.leaseSeconds === undefined ? undefined : settings.leaseSeconds * 1_000;
  const database = await openCrewDatabase(settings.database ?? crewFile(home), {
    ...(leaseMs !== undefined && { silenceMs: Math.max(leaseMs, LEAST_SILENCE_MS) }),
  });
  const options: CrewOptions = {
    database,
    home,
    worker: settings.name ?? workerName(home),
    pools: [],
    isShared: settings.database !== undefined,
    ...(leaseMs !== undefined && { leaseMs }),
    ...(slots !== undefined && { slots }),
    limits: {
      concurrency: {
        agents: atOnceFor,
        pools: atOnceIn,
        machine: Math.max(1, Math.min(atOnce, 16 * availableParallelism())),
      },
      day: dayBudget,
      proofMs: (settings.proofMinutes ?? PROOF_MINUTES) * 60_000,
    },
    outside,
  };
  try {
    return await Crew.open(options);
  } catch (error) {
    await database.close().catch(() => {});
    throw error;
  }
}

/** The same after every restart, and another one for another home on the same machine. */
function workerName(home: string): string {
  return `${hostname()}-${createHash("sha256").update(home).digest("hex").slice(0, 6)}`;
}
