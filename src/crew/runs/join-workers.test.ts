import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCrewDatabase } from "../database/open-crew-database.ts";
import { joinWorkers } from "./join-workers.ts";

const alone = { log: () => {}, lost: () => {} };

it("a name is one worker's: a second is refused, unless the first is known to be gone", async () => {
  const database = await openCrewDatabase(join(mkdtempSync(join(tmpdir(), "join-")), "crew.db"));
  const leave = await joinWorkers(database, "desk", alone);
  // The same process may come again.
  const again = await joinWorkers(database, "desk", alone);
  const set = (change: string, values: readonly string[]) =>
    database.run(`UPDATE crew_workers SET ${change} WHERE name = 'desk'`, values);
  await set("host = ?", ["another-machine"]);
  await expect(joinWorkers(database, "desk", alone)).rejects.toMatchObject({
    code: "SEAM_CREW_WORKER_NAME",
  });
  await set("seen_at = ?", [new Date(Date.now() - 120_000).toISOString()]);
  const later = await joinWorkers(database, "desk", alone);
  // A process of this machine that has ended does not keep its name for a minute.
  await set("process_start = ?", ["long ago"]);
  const anew = await joinWorkers(database, "desk", alone);
  for (const end of [leave, again, later, anew]) end();
  await database.close();
});

it("a worker whose name another one took while it slept hears of it once, and leaves it alone", async () => {
  const database = await openCrewDatabase(join(mkdtempSync(join(tmpdir(), "join-")), "crew.db"));
  const reasons: string[] = [];
  const lost = (reason: string) => reasons.push(reason);
  await joinWorkers(database, "desk", { ...alone, lost, beatMs: 5 });
  const now = new Date(Date.now() + 60_000).toISOString();
  const set = "UPDATE crew_workers SET host = 'another-machine', seen_at = ? WHERE name = 'desk'";
  await database.run(set, [now]);
  await expect.poll(() => reasons).toEqual([expect.stringContaining("another-machine")]);
  const [row] = await database.all("SELECT host, seen_at FROM crew_workers", []);
  expect(row).toMatchObject({ host: "another-machine", seen_at: now });
  await database.close();
});
