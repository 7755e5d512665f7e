import { join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { transcript } from "./transcript.ts";

/** Subagents are written into the same file, so there are no others to find. */
export const sessions = fileStore({
  agent: "copilot-cli",
  format: transcript,
  dir,
  find: (place, sessionId) => join(dir(place), sessionId, "events.jsonl"),
  resumeCommand: (sessionId) => ["copilot", `--resume=${sessionId}`],
});

/** All projects share one folder. */
function dir({ home, env }: AgentFolders): string {
  return join(env.COPILOT_HOME || join(home, ".copilot"), "session-state");
}
