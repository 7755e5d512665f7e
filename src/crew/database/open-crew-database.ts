import { messageOf, SeamError } from "../../errors/index.ts";
import { type CrewDatabase, number } from "./crew-database.ts";
import { PostgresDatabase } from "./postgres-database.ts";
import { VERSIONS } from "./schema.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

const IS_POSTGRES = /^postgres(ql)?:\/\//;
const SILENCE_MS = 30_000;

interface Options {
  /** A server that has not answered for so long counts as out of reach. */
  readonly silenceMs?: number;
}

/**
 * Opens the place where crews are kept, a file or `postgres://…`, and brings it to this version. If
 * two processes open an empty one at once, the second waits and finds it made.
 */
export async function openCrewDatabase(
  place: string,
  { silenceMs = SILENCE_MS }: Options = {},
): Promise<CrewDatabase> {
  let database: CrewDatabase | undefined;
  try {
    database = IS_POSTGRES.test(place)
      ? new PostgresDatabase(place, silenceMs)
      : new SqliteDatabase(place);
    await database.transaction((inside) => migrate(inside, place));
    return database;
  } catch (error) {
    await database?.close().catch(() => {});
    if (error instanceof SeamError) throw error;
    const details = { place: withoutPassword(place), detail: messageOf(error) };
    throw new SeamError("SEAM_CREW_DATABASE", details, { cause: error });
  }
}

async function migrate(database: CrewDatabase, place: string): Promise<void> {
  await database.run("CREATE TABLE IF NOT EXISTS crew_version (version INTEGER NOT NULL)");
  const [row] = await database.all("SELECT version FROM crew_version");
  const found = number(row, "version");
  const known = VERSIONS.length;
  if (found > known) {
    const store = "The database of crews";
    throw new SeamError("SEAM_STORE_NEWER", {
      store,
      path: withoutPassword(place),
      version: found,
      known,
    });
  }
  for (const statements of VERSIONS.slice(found)) {
    for (const statement of statements) await database.run(statement);
  }
  if (found === known) return;
  await database.run("DELETE FROM crew_version");
  await database.run("INSERT INTO crew_version (version) VALUES (?)", [known]);
}

function withoutPassword(place: string): string {
  return place.replace(/(:\/\/[^:@/]*):[^@/]*@/, "$1@");
}
