import { existsSync } from "node:fs";
import { readText, replaceFile } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import type { AttemptEnd } from "../model/run.ts";
import { attemptFiles } from "./attempt-files.ts";
import { endProcesses, processIn, shellEnds, wallsIn } from "./attempt-process.ts";

/** An attempt as far as it has to be known to end it. */
export interface EndableAttempt {
  /** What its processes carry as SEAM_CREW_ATTEMPT. */
  readonly id: string;
  readonly folder: string;
}

/**
 * Ends the processes of an attempt, all of them. Why is written down first: whoever watches it, now
 * or after the daemon was killed, reads it there.
 */
export async function endAttempt(
  attempt: EndableAttempt,
  reason: string | AttemptEnd,
): Promise<void> {
  const { ended } = attemptFiles(attempt.folder);
  const end: AttemptEnd = typeof reason === "string" ? { kind: "ended", reason } : reason;
  if (!existsSync(ended)) replaceFile(ended, `${JSON.stringify(end)}\n`);
  await endProcessesOf(attempt);
}

/** Ends what is left of an attempt whose agent is gone. */
export async function endProcessesOf({ id, folder }: EndableAttempt): Promise<void> {
  const named = processIn(folder);
  if (named && existsSync(attemptFiles(folder).exit)) await shellEnds(named);
  await endProcesses(id, named, wallsIn(folder));
  const again = attemptFiles(folder).repair;
  const repair = processIn(again);
  if (repair) await endProcesses(repairId(id), repair, wallsIn(again));
}

/** What the process carries that is asked to say its result again. */
export const repairId = (id: string) => `${id}.repair`;

const KINDS: readonly AttemptEnd["kind"][] = [
  "ended",
  "failed",
  "ungated",
  "stalled",
  "over-budget",
];

/** Why Seam ended an attempt; undefined: it did not. */
export function endedBySeam(folder: string): AttemptEnd | undefined {
  const text = readText(attemptFiles(folder).ended);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && typeof value.reason === "string") {
      const kind = KINDS.find((one) => one === value.kind);
      if (kind && kind !== "finished" && kind !== "limited") return { kind, reason: value.reason };
    }
  } catch {
    // It was cut off with the machine.
  }
  return { kind: "ended", reason: "Seam ended it." };
}
