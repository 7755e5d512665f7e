import { join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { filesBelow } from "../sessions/found-transcript.ts";
import { namesIn } from "../sessions/list-files.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { text } from "../transcripts/json.ts";
import { transcript } from "./transcript.ts";

const HEAD_BYTES = 4096;
/** The time at which it began, and its id. */
const SESSION_FILE = /_([^/_]+)\.jsonl$/;

export const sessions = fileStore({
  agent: "pi",
  format: transcript,
  dir,
  find(place, sessionId) {
    const folder = dir(place);
    const name = namesIn(folder).find((file) => file.endsWith(`_${sessionId}.jsonl`));
    return name === undefined ? undefined : join(folder, name);
  },
  place(place, { sessionId, content }) {
    const [header] = headRecords(content.subarray(0, HEAD_BYTES), 1);
    const started = new Date(text(header?.timestamp) ?? Number.NaN);
    if (Number.isNaN(started.getTime())) return undefined;
    return join(dir(place), `${started.toISOString().replace(/[:.]/g, "-")}_${sessionId}.jsonl`);
  },
  resumeCommand: (sessionId) => ["pi", "--session", sessionId],
  async everywhere({ home, env }) {
    const own = env.PI_CODING_AGENT_SESSION_DIR;
    const root = own || join(env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "sessions");
    return filesBelow(root, own ? 1 : 2, SESSION_FILE).map(({ path, mark }) => ({
      ref: path,
      mark,
      sessionId: SESSION_FILE.exec(path)?.[1] ?? "",
    }));
  },
});

function dir({ project, home, env }: AgentFolders): string {
  if (env.PI_CODING_AGENT_SESSION_DIR) return env.PI_CODING_AGENT_SESSION_DIR;
  const slug = project.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-");
  return join(env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "sessions", `--${slug}--`);
}
