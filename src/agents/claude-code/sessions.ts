import { basename, dirname, join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { filesBelow } from "../sessions/found-transcript.ts";
import { namesIn } from "../sessions/list-files.ts";
import { transcript } from "./transcript.ts";

const LONGEST_SLUG = 200;
const CHILD = /^agent-(.+)\.jsonl$/;

export const sessions = fileStore({
  agent: "claude-code",
  format: transcript,
  dir,
  find: (place, sessionId) => join(dir(place), `${sessionId}.jsonl`),
  resumeCommand: (sessionId) => ["claude", "--resume", sessionId],
  // Children of children stand beside them.
  async subagents(ref) {
    const folder = join(dirname(ref), basename(ref, ".jsonl"), "subagents");
    return namesIn(folder).flatMap((name) => {
      const id = CHILD.exec(name)?.[1];
      return id === undefined ? [] : [{ id, ref: join(folder, name) }];
    });
  },
  async everywhere(folders) {
    const root = projectsDir(folders);
    const main = filesBelow(root, 2, /\.jsonl$/).map(({ path, mark }) => ({
      ref: path,
      mark,
      sessionId: basename(path, ".jsonl"),
    }));
    const children = filesBelow(root, 4, /\.jsonl$/).flatMap(({ path, mark }) => {
      const id = CHILD.exec(basename(path))?.[1];
      const parent = basename(dirname(dirname(path)));
      return id === undefined ? [] : [{ ref: path, mark, sessionId: id, parent }];
    });
    return [...main, ...children];
  },
});

function dir({ project, ...folders }: AgentFolders): string {
  return join(projectsDir(folders), slug(project));
}

function projectsDir({ home, env }: Pick<AgentFolders, "home" | "env">): string {
  return join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "projects");
}

/** How Claude Code names the folder of a project; long names end in a hash of the path. */
function slug(project: string): string {
  const plain = project.replace(/[^a-zA-Z0-9]/g, "-");
  if (plain.length <= LONGEST_SLUG) return plain;
  let hash = 0;
  for (let at = 0; at < project.length; at++) {
    hash = ((hash << 5) - hash + project.charCodeAt(at)) | 0;
  }
  return `${plain.slice(0, LONGEST_SLUG)}-${Math.abs(hash).toString(36)}`;
}
