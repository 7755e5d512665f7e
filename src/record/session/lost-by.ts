import { statSync } from "node:fs";
import { isAlive } from "../process-tree.ts";
import type { SessionState } from "./state.ts";

/** A session without a process to look at counts as over when it was silent for this long. */
export const SILENT_MS = 12 * 60 * 60 * 1000;

/** How it shows that a session is over though nobody said so; undefined if it may go on. */
export function lostBy(state: SessionState): "process" | "age" | undefined {
  const { phase, owner, last_seen_at, transcript_path } = state;
  if (phase === "ended") return undefined;
  if (owner) return isAlive(owner) ? undefined : "process";
  const lastSign = Math.max(Date.parse(last_seen_at), writtenAt(transcript_path));
  return Date.now() - lastSign > SILENT_MS ? "age" : undefined;
}

function writtenAt(path: string | undefined): number {
  try {
    return path === undefined ? 0 : statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
