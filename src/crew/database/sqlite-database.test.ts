import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { libsql } from "../../files/index.ts";
import { openCrewDatabase } from "./open-crew-database.ts";

const WRITE = "INSERT INTO engine_signals (name, data, sent_at) VALUES ('a', 'null', '')";

it("a file that somebody else has locked is waited for, and nobody sees an error of it", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "locked-")), "crew.db");
  const database = await openCrewDatabase(path);
  const other = new (libsql())(path);
  other.exec("BEGIN IMMEDIATE");
  const writing = database.run(WRITE);
  const counted = database.all("SELECT COUNT(*) AS count FROM engine_signals");
  setTimeout(() => other.exec("COMMIT"), 200);
  expect([await writing, Number((await counted)[0]?.count)]).toEqual([1, 1]);
  other.close();
  await database.close();
});

it("a file that is no database, or cannot be one, is named with what is wrong", async () => {
  const folder = mkdtempSync(join(tmpdir(), "no-database-"));
  await expect(openCrewDatabase(folder)).rejects.toMatchObject({ code: "SEAM_CREW_DATABASE" });
});
