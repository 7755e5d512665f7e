import { dirname, join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { filesBelow } from "../sessions/found-transcript.ts";
import { namesIn } from "../sessions/list-files.ts";
import type { AgentSession } from "../sessions/session-store.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { record, text } from "../transcripts/json.ts";
import { scanTranscript } from "../transcripts/scan.ts";
import type { ScanState } from "../transcripts/scan-state.ts";
import { transcript } from "./transcript.ts";

/** Ends in the id of the thread. */
const ROLLOUT =
  /rollout-.*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

export const sessions = fileStore({
  agent: "codex",
  format: transcript,
  dir,
  find: (place, sessionId) => findRollout(dir(place), sessionId),
  place: (place, session) => newRollout(dir(place), session),
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

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The rollout of a thread. Threads have ids that begin with the time, and rollouts are kept by
 * day: at most three folders are looked into, however many sessions there are.
 */
function findRollout(sessionsDir: string, threadId: string): string | undefined {
  const started = timeOfId(threadId);
  if (started === undefined) return undefined;
  // The folder is named after the day on the wall, which may have been another place's.
  for (const days of [0, -1, 1]) {
    const folder = dayFolder(sessionsDir, started + days * DAY_MS);
    const name = namesIn(folder).find((file) => file.endsWith(`-${threadId}.jsonl`));
    if (name !== undefined) return join(folder, name);
  }
  return undefined;
}

/**
 * Where the rollout of a thread belongs, if it does not exist yet. Codex remembers the path in a
 * database and looks nowhere else, so the name has to be the one that Codex gave: made from the
 * time in the rollout's first line, on the clock of the wall. The id is made a little earlier.
 */
function newRollout(
  sessionsDir: string,
  { sessionId, content }: Pick<AgentSession, "sessionId" | "content">,
): string | undefined {
  const made = timeOfId(sessionId);
  if (made === undefined) return undefined;
  const [date, time] = wallClock(startOf(content) ?? made);
  const name = `rollout-${date}T${time.replaceAll(":", "-")}-${sessionId}.jsonl`;
  return join(sessionsDir, ...date.split("-"), name);
}

/** When a thread began, as the first line of its rollout says. */
function startOf(content: Buffer): number | undefined {
  const end = content.indexOf("\n");
  const [head] = headRecords(end < 0 ? content : content.subarray(0, end), 1);
  const time = Date.parse(text(record(head?.payload).timestamp) ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/** Date and time of day where this machine is. */
function wallClock(time: number): [date: string, time: string] {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return [
    [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-"),
    [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":"),
  ];
}

function dayFolder(sessionsDir: string, time: number): string {
  const [date] = wallClock(time);
  return join(sessionsDir, ...date.split("-"));
}

/** The milliseconds in a UUID of version 7. */
function timeOfId(id: string): number | undefined {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(id);
  if (!match) return undefined;
  const time = Number.parseInt(`${match[1]}${match[2]}`, 16);
  return Number.isNaN(new Date(time).getTime()) ? undefined : time;
}
