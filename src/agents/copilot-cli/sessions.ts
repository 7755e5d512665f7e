import { basename, dirname, join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { filesBelow } from "../sessions/found-transcript.ts";
import { transcript } from "./transcript.ts";

/** Subagents are written into the same file, so there are no others to find. */
export const sessions = fileStore({
  agent: "copilot-cli",
  format: transcript,
  dir,
  find: (place, sessionId) => join(dir(place), sessionId, "events.jsonl"),
  resumeCommand: (sessionId) => ["copilot", `--resume=${sessionId}`],
  everywhere: async (folders) =>
    filesBelow(dir(folders), 2, /\/events\.jsonl$/).map(({ path, mark }) => ({
      ref: path,
      mark,
      sessionId: basename(dirname(path)),
    })),
});

/** All projects share one folder. */
function dir({ home, env }: Pick<AgentFolders, "home" | "env">): string {
  return join(env.COPILOT_HOME || join(home, ".copilot"), "session-state");
}
