import { hostname } from "node:os";
import { messageOf, SeamError } from "../../errors/index.ts";
import { processStart } from "../../files/index.ts";
import type { CrewDatabase } from "../database/crew-database.ts";

/** How often a worker says that it is still there. */
const BEAT_MS = 20_000;
/** After this time without a sign, a worker counts as gone. */
const GONE_MS = 3 * BEAT_MS;

/** The workers that have not been heard of for so long that they count as gone, and for how many minutes. */
export async function silentWorkers(database: CrewDatabase): Promise<ReadonlyMap<string, number>> {
  const now = (await database.clock()).getTime();
  const rows = await database.all("SELECT name, seen_at FROM crew_workers", []);
  const ages = rows.map(
    (row) => [String(row.name), now - Date.parse(String(row.seen_at))] as const,
  );
  const gone = ages.filter(([, ms]) => ms > GONE_MS);
  return new Map(gone.map(([name, ms]) => [name, Math.floor(ms / 60_000)]));
}

interface Joining {
  readonly log: (text: string) => void;
  /** Is called once if another process has the name now, as after a long sleep of this machine. */
  readonly lost: (reason: string) => void;
  readonly beatMs?: number;
}

/**
 * Writes down who works under a name. Two processes under one name would take each other's work for
 * their own, so the second is refused, unless the first is known to be gone. Returns its own undo.
 */
export async function joinWorkers(
  database: CrewDatabase,
  name: string,
  { log, lost, beatMs = BEAT_MS }: Joining,
): Promise<() => void> {
  const own = { host: hostname(), pid: process.pid, start: processStart(process.pid) ?? "" };
  const join = () =>
    database.transaction(async (inside) => {
      const now = await inside.clock();
      const [row] = await inside.all("SELECT * FROM crew_workers WHERE name = ?", [name]);
      const isFresh = row && Date.parse(String(row.seen_at)) > now.getTime() - GONE_MS;
      const { host, pid, process_start: start } = row ?? {};
      const isSame = host === own.host && Number(pid) === own.pid && start === own.start;
      const isGone = host === own.host && processStart(Number(pid)) !== start;
      if (isFresh && !isSame && !isGone) {
        throw new SeamError("SEAM_CREW_WORKER_NAME", { name, host: String(host) });
      }
      await inside.run(
        `INSERT INTO crew_workers (name, host, pid, process_start, pools, seen_at) VALUES (?, ?, ?, ?, '', ?)
         ON CONFLICT (name) DO UPDATE SET host = excluded.host, pid = excluded.pid,
           process_start = excluded.process_start, seen_at = excluded.seen_at`,
        [name, own.host, own.pid, own.start, now.toISOString()],
      );
    });
  await join();
  let isOver = false;
  const leave = () => {
    isOver = true;
    clearInterval(timer);
  };
  const beat = async () => {
    try {
      await join();
    } catch (error) {
      // The database may be away for a while; that says nothing about the name.
      if (!(error instanceof SeamError) || error.code !== "SEAM_CREW_WORKER_NAME") {
        return log(messageOf(error));
      }
      if (isOver) return;
      leave();
      lost(messageOf(error));
    }
  };
  const timer = setInterval(() => void beat(), beatMs);
  return leave;
}
