import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../files/index.ts";
import { type CrewMessage, wordsOf } from "./message.ts";

/**
 * The mailbox of an attempt is in its folder: whoever answers its next hook takes along what lies in
 * `inbox`, and puts it into `delivered`.
 */
const INBOX = "inbox";
const DELIVERED = "delivered";

/** Leaves a message for an attempt that works. */
export function leaveMessage(folder: string, message: CrewMessage): void {
  const inbox = join(folder, INBOX);
  mkdirSync(inbox, { recursive: true });
  const name = `${message.sentAt.replace(/\W/g, "")}-${message.id}.json`;
  const text = wordsOf(message);
  replaceFile(join(inbox, name), `${JSON.stringify({ id: message.id, text })}\n`);
}

/** The ids of the messages that an attempt has heard. */
export function heardBy(folder: string): string[] {
  return idsIn(join(folder, DELIVERED));
}

/** The ids of the messages that still lie there. */
export function leftFor(folder: string): string[] {
  return idsIn(join(folder, INBOX));
}

function idsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => /-([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
}
