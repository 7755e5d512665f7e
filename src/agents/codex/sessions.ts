import { dirname, join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { filesBelow } from "../sessions/found-transcript.ts";
import { scanTranscript } from "../transcripts/scan.ts";
import type { ScanState } from "../transcripts/scan-state.ts";
import { findRollout, newRollout } from "./rollout-file.ts";
import { transcript } from "./transcript.ts";

/** Ends in the id of the thread. */
const ROLLOUT =
  /rollout-.*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

export const sessions = fileStore({
  agent: "codex",
  format: transcript,
  dir,
  find: (place, sessionId) => findRollout(dir(place), sessionId),
  place: (place, { sessionId }) => newRollout(dir(place), sessionId),
  resumeCommand: (sessionId) => ["codex", "resume", sessionId],
  async everywhere(folders) {
    const root = dir(folders);
    const archived = join(dirname(root), "archived_sessions");
    return [...filesBelow(root, 4, ROLLOUT), ...filesBelow(archived, 1, ROLLOUT)].map(
      ({ path, mark }) => ({ ref: path, mark, sessionId: ROLLOUT.exec(path)?.[1] ?? "" }),
    );
  },
  async subagents(ref) {
    const root = dirname(dirname(dirname(dirname(ref))));
    const ids = await spawnedBy(ref);
    return ids.flatMap((id) => {
      const file = findRollout(root, id);
      return file === undefined ? [] : [{ id, ref: file }];
    });
  },
});

/** All projects share one folder. */
function dir({ home, env }: Pick<AgentFolders, "home" | "env">): string {
  return join(env.CODEX_HOME || join(home, ".codex"), "sessions");
}

interface Spawned {
  readonly state: ScanState;
  readonly ids: readonly string[];
}

const MOST_REMEMBERED = 64;
const remembered = new Map<string, Spawned>();

/** Only the result of the call that starts a child says its id; read once, then what is new. */
async function spawnedBy(ref: string): Promise<readonly string[]> {
  const known = remembered.get(ref);
  const { state, facts, restarted } = await scanTranscript(transcript, ref, {
    from: known?.state,
    marks: ["agent_id"],
  });
  const found = facts.subagents.flatMap(({ id }) => id ?? []);
  const ids = [...new Set([...(restarted ? [] : (known?.ids ?? [])), ...found])];
  remembered.delete(ref);
  remembered.set(ref, { state, ids });
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return ids;
}
