import { join } from "node:path";
import { ageOf, readText, replaceFile } from "../../files/index.ts";
import type { RecordingContext } from "../recording-context.ts";
import { seamDirOf } from "../seam-dir.ts";
import { clean } from "./clean.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what is older than the user wants it kept, once a day: files in snapshots and states of
 * sessions that are over. What happened in a turn stays, and so does every checkpoint.
 */
export async function ageOut({ record, log }: RecordingContext, days: number): Promise<void> {
  const marker = join(seamDirOf(record.repo), "aged");
  if (days === 0 || (readText(marker) !== undefined && ageOf(marker) < DAY_MS)) return;
  // First: what fails is not tried again all the time.
  replaceFile(marker, `${new Date().toISOString()}\n`);
  const age = days * DAY_MS;
  const options = { sessions: true, turns: true, sessionAgeMs: age, turnAgeMs: age };
  const { sessions, turns, refs } = await clean(record, options);
  if (sessions.length + turns.length + refs.length === 0) return;
  const parts = `${sessions.length} states, files of turns of ${turns.length} sessions, ${refs.length} rewinds`;
  log("info", `Removed what was older than ${days} days: ${parts}`);
}
