import { randomUUID } from "node:crypto";
import type { CrewDatabase } from "../database/crew-database.ts";
import type { CrewMessage } from "./message.ts";

const FIELDS = "data, delivered_at";

/** The messages of all runs. */
export class MessageStore {
  readonly #database: CrewDatabase;

  constructor(database: CrewDatabase) {
    this.#database = database;
  }

  /** Keeps a message to each of these. */
  async send(
    message: Omit<CrewMessage, "id" | "sentAt" | "to">,
    recipients: readonly string[],
  ): Promise<CrewMessage[]> {
    const sentAt = new Date().toISOString();
    const sent = recipients.map((to) => ({ ...message, to, sentAt, id: randomUUID().slice(0, 8) }));
    for (const one of sent) {
      await this.#database.run(
        "INSERT INTO crew_messages (id, run, sender, recipient, sent_at, data) VALUES (?, ?, ?, ?, ?, ?)",
        [one.id, one.run, one.from, one.to, sentAt, JSON.stringify(one)],
      );
    }
    return sent;
  }

  /** What somebody has not heard yet, oldest first. */
  async unread(run: string, recipient: string): Promise<CrewMessage[]> {
    const sql = `SELECT ${FIELDS} FROM crew_messages WHERE run = ? AND recipient = ? AND delivered_at IS NULL ORDER BY sent_at`;
    return messagesIn(await this.#database.all(sql, [run, recipient]));
  }

  /** All messages of a run, or those of one member, oldest first. */
  async of(run: string, member?: string): Promise<CrewMessage[]> {
    const some = member === undefined ? "" : " AND (sender = ? OR recipient = ?)";
    const sql = `SELECT ${FIELDS} FROM crew_messages WHERE run = ?${some} ORDER BY sent_at`;
    const rest = member === undefined ? [] : [member, member];
    return messagesIn(await this.#database.all(sql, [run, ...rest]));
  }

  async delivered(ids: readonly string[]): Promise<void> {
    const at = new Date().toISOString();
    for (const id of ids) {
      const sql = "UPDATE crew_messages SET delivered_at = ? WHERE id = ? AND delivered_at IS NULL";
      await this.#database.run(sql, [at, id]);
    }
  }
}

function messagesIn(rows: readonly Readonly<Record<string, unknown>>[]): CrewMessage[] {
  return rows.map(({ data, delivered_at }) => {
    // The column was written by this class.
    const message: CrewMessage = JSON.parse(String(data));
    return typeof delivered_at === "string" ? { ...message, deliveredAt: delivered_at } : message;
  });
}
