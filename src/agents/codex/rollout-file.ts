import { join } from "node:path";
import { namesIn } from "../sessions/list-files.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The rollout of a thread. Threads have ids that begin with the time, and rollouts are kept by
 * day: at most three folders are looked into, however many sessions there are.
 */
export function findRollout(sessionsDir: string, threadId: string): string | undefined {
  const started = timeOfId(threadId);
  if (started === undefined) return undefined;
  // The folder is named after the local day, wherever that was.
  for (const days of [0, -1, 1]) {
    const folder = dayFolder(sessionsDir, started + days * DAY_MS);
    const name = namesIn(folder).find((file) => file.endsWith(`-${threadId}.jsonl`));
    if (name !== undefined) return join(folder, name);
  }
  return undefined;
}

/** Where the rollout of a thread belongs that is not there. */
export function newRollout(sessionsDir: string, threadId: string): string | undefined {
  const started = timeOfId(threadId);
  if (started === undefined) return undefined;
  const time = new Date(started).toISOString().slice(0, 19).replaceAll(":", "-");
  return join(dayFolder(sessionsDir, started), `rollout-${time}-${threadId}.jsonl`);
}

function dayFolder(sessionsDir: string, time: number): string {
  const [year = "", month = "", day = ""] = new Date(time).toISOString().slice(0, 10).split("-");
  return join(sessionsDir, year, month, day);
}

/** The milliseconds in a UUID of version 7. */
function timeOfId(id: string): number | undefined {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(id);
  if (!match) return undefined;
  const time = Number.parseInt(`${match[1]}${match[2]}`, 16);
  return Number.isNaN(new Date(time).getTime()) ? undefined : time;
}
