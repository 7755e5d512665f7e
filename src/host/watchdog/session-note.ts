import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import type { CustomEntry } from "../../events/index.ts";
import type { Suspicion } from "./suspects.ts";

/** What a session keeps of an extension that held the thread. */
export const STUCK_ENTRY = "extension_stuck";

export interface StuckData extends Suspicion {
  readonly heldMs: number;
  /** The process was ended because of it. */
  readonly ended: boolean;
}

const LINE_FEED = 10;

/**
 * Adds an entry to a session whose own thread cannot do it any more. It goes where the file ends,
 * as one whole line that is on the disk when this returns.
 */
export function noteInSession(file: string, data: StuckData): void {
  const content = readFileSync(file);
  const isWhole = content.at(-1) === LINE_FEED;
  const lines = content.toString("utf8").trimEnd().split("\n");
  const [header, ...entries] = lines;
  if (header === undefined || header === "") return;
  const entry: CustomEntry<StuckData> = {
    type: "custom",
    id: randomUUID().slice(0, 8),
    parentId: idIn(entries.at(-1)),
    timestamp: new Date().toISOString(),
    customType: STUCK_ENTRY,
    data,
  };
  const fd = openSync(file, "a");
  try {
    writeSync(fd, `${isWhole ? "" : "\n"}${JSON.stringify(entry)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function idIn(line: string | undefined): string | null {
  if (line === undefined) return null;
  const { id } = JSON.parse(line) as { id?: unknown };
  return typeof id === "string" ? id : null;
}
