import { basename, dirname, extname, join, relative, sep } from "node:path";
import { SeamError } from "../../errors/index.ts";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { filesBelow } from "../sessions/found-transcript.ts";
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
    async everywhere({ home, projects }) {
      const root = join(home, ".cursor", "projects");
      const bySlug = new Map(projects.map((project) => [slugOf(project), project]));
      const older = filesBelow(root, 3, /\/agent-transcripts\/[^/]+\.txt$/);
      const newer = filesBelow(root, 4, /\/agent-transcripts\/([^/]+)\/\1\.jsonl$/);
      const children = filesBelow(root, 5, /\/subagents\/[^/]+\.jsonl$/);
      return [...older, ...newer, ...children].map(({ path, mark }) => {
        // Names of folders do not say which project it was: only one that Seam knows can be meant.
        const project = bySlug.get(relative(root, path).split(sep)[0] ?? "");
        const isChild = basename(dirname(path)) === "subagents";
        return {
          ref: path,
          mark,
          sessionId: basename(path, extname(path)),
          ...(project !== undefined && { project }),
          ...(isChild && { parent: basename(dirname(dirname(path))) }),
        };
      });
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
  return join(home, ".cursor", "projects", slugOf(project), "agent-transcripts");
}

const slugOf = (project: string) => project.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-|-$/g, "");
