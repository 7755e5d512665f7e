import { homedir } from "node:os";
import { agentNamed } from "../../agents/index.ts";
import type { SessionState } from "./state.ts";

/** Where a session's transcript is: as its agent said, or where this agent keeps such a thing. */
export function transcriptRef(state: SessionState): string | undefined {
  if (state.transcript_path !== undefined) return state.transcript_path;
  const place = { project: state.work_tree, home: homedir(), env: process.env };
  return agentNamed(state.agent)?.sessions.file(place, state.session_id);
}
