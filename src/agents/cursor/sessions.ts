import { basename, dirname, join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { namesIn } from "../sessions/list-files.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { transcript } from "./transcript.ts";

export const sessions: SessionStore = {
  ...fileStore({
    agent: "cursor",
    format: transcript,
    dir,
    find(place, sessionId) {
      const folder = dir(place);
      const older = `${sessionId}.txt`;
      if (namesIn(folder).includes(older)) return join(folder, older);
      return join(folder, sessionId, `${sessionId}.jsonl`);
    },
    resumeCommand: (sessionId) => ["cursor-agent", `--resume=${sessionId}`],
    async subagents(ref) {
      const folder = join(dirname(ref), "subagents");
      return namesIn(folder)
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => ({ id: basename(name, ".jsonl"), ref: join(folder, name) }));
    },
  }),
  // Cursor goes on from its own database; the transcript is only a copy for others to read.
  write: () =>
    Promise.reject(
      new SeamError("SEAM_SESSION_FOREIGN", {
        agent: "Cursor",
        detail: "it keeps them in a database that others cannot write to.",
        hint: "Open the conversation in Cursor itself, if it still has it.",
      }),
    ),
};

function dir({ project, home }: AgentFolders): string {
  const slug = project.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-|-$/g, "");
  return join(home, ".cursor", "projects", slug, "agent-transcripts");
}
