import { statSync } from "node:fs";
import { homedir } from "node:os";
import { agentNamed } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import type { SessionState } from "./state.ts";

/** Where a session's transcript is: as its agent said, or where this agent keeps such a thing. */
export function transcriptRef(state: SessionState): string | undefined {
  if (state.transcript_path !== undefined) return state.transcript_path;
  const place = { project: state.work_tree, home: homedir(), env: process.env };
  return agentNamed(state.agent)?.sessions.file(place, state.session_id);
}

/** Throws for what would be waited for, or read, without an end: a pipe, a device. */
export function checkTranscript(ref: string): void {
  const stats = statSync(ref, { throwIfNoEntry: false });
  if (!stats || stats.isFile() || stats.isDirectory()) return;
  throw new SeamError("SEAM_RECORD_TRANSCRIPT", { path: ref });
}
