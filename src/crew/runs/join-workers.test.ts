import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCrewDatabase } from "../database/open-crew-database.ts";
import { joinWorkers } from "./join-workers.ts";

const log = () => {};

it("a name is one worker's: a second is refused, unless the first is known to be gone", async () => {
  const database = await openCrewDatabase(join(mkdtempSync(join(tmpdir(), "join-")), "crew.db"));
  const leave = await joinWorkers(database, "desk", log);
  // The same process may come again.
  const again = await joinWorkers(database, "desk", log);
  const set = (change: string, values: readonly string[]) =>
    database.run(`UPDATE crew_workers SET ${change} WHERE name = 'desk'`, values);
  await set("host = ?", ["another-machine"]);
  await expect(joinWorkers(database, "desk", log)).rejects.toMatchObject({
    code: "SEAM_CREW_WORKER_NAME",
  });
  await set("seen_at = ?", [new Date(Date.now() - 120_000).toISOString()]);
  const later = await joinWorkers(database, "desk", log);
  // A process of this machine that has ended does not keep its name for a minute.
  await set("process_start = ?", ["long ago"]);
  const anew = await joinWorkers(database, "desk", log);
  for (const end of [leave, again, later, anew]) end();
  await database.close();
});
