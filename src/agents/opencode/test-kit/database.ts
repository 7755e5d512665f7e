import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { fixture, fixtureContent } from "../../transcripts/test-kit.ts";
import { type ExportedSession, readExport } from "../export.ts";

export function exported(name: string): ExportedSession {
  const session = readExport(fixtureContent("opencode", name));
  if (!session) throw new Error(`${name} is not an exported session`);
  return session;
}

/** A database as OpenCode makes it, open for writing like OpenCode has it. */
export function openCodeDatabase(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(readFileSync(fixture("opencode", "db-schema.sql"), "utf8"));
  database.exec("PRAGMA foreign_keys = OFF");
  return {
    close: () => {
      database.close();
    },
    session: ({ info }: ExportedSession) => {
      const { created = 0, updated = 0 } = info.time as { created?: number; updated?: number };
      database
        .prepare(
          "INSERT OR IGNORE INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .run(
          info.id,
          info.projectID,
          info.parentID ?? null,
          info.slug,
          info.directory,
          info.title,
          info.version,
          created,
          updated,
        );
    },
    /** Adds a message, or writes it again. */
    message: (message: ExportedSession["messages"][number]) => {
      const { id, sessionID, ...data } = message.info;
      const { created = 0 } = data.time as { created?: number };
      database
        .prepare("INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)")
        .run(id, sessionID, created, created, JSON.stringify(data));
      for (const part of message.parts) {
        const { id: partId, sessionID: _, messageID, ...rest } = part;
        database
          .prepare("INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)")
          .run(partId, messageID, sessionID, created, created, JSON.stringify(rest));
      }
    },
    remove: (messageId: unknown) => {
      database.prepare("DELETE FROM message WHERE id = ?").run(messageId);
    },
  };
}
