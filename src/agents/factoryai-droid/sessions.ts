import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { filesBelow } from "../sessions/found-transcript.ts";
import { isSafeId } from "../sessions/safe-id.ts";
import { childIdsOf, totalsOf } from "./sidecar.ts";
import { transcript } from "./transcript.ts";

export const sessions = fileStore({
  agent: "factoryai-droid",
  format: transcript,
  dir,
  find: (place, sessionId) => join(dir(place), `${sessionId}.jsonl`),
  resumeCommand: (sessionId) => ["droid", "--resume", sessionId],
  totals: totalsOf,
  everywhere: async ({ home }) =>
    filesBelow(join(home, ".factory", "sessions"), 2, /\.jsonl$/).map(({ path, mark }) => ({
      ref: path,
      mark,
      sessionId: basename(path, ".jsonl"),
    })),
  async subagents(ref) {
    const ids = (await childIdsOf(ref)).filter(isSafeId);
    return ids
      .map((id) => ({ id, ref: join(dirname(ref), `${id}.jsonl`) }))
      .filter((child) => existsSync(child.ref));
  },
});

function dir({ project, home }: AgentFolders): string {
  return join(home, ".factory", "sessions", project.replace(/[/\\]/g, "-"));
}
