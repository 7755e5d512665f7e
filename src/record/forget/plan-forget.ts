import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { agentOfType, contentEntries } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { listRefs } from "../../git/index.ts";
import { PROMPT_SEPARATOR } from "../checkpoint/checkpoint-files.ts";
import {
  type Checkpoint,
  readCheckpoint,
  readPrompt,
  readTranscript,
} from "../checkpoint/read-checkpoint.ts";
import { allCheckpoints } from "../history/checkpoints.ts";
import { sessionsWithTurns, snapshots } from "../history/turns.ts";
import { isAlive } from "../process-tree.ts";
import type { RepoRecord } from "../repo-record.ts";
import type { SessionState } from "../session/state.ts";
import { transcriptRef } from "../session/transcript-ref.ts";
import { REMOTES_PREFIX } from "../sync/remote.ts";

/** Everything that is kept of a session, and would go with it. */
export interface ForgetPlan {
  readonly session_id: string;
  /** Registry names. */
  readonly agents: readonly string[];
  /** Turns with snapshots. */
  readonly turns: number;
  readonly checkpoints: readonly ForgottenPart[];
  /** Files of it that no commit has taken up; they stay as they are in the work tree. */
  readonly pending_files: readonly string[];
  /** Its agent runs still: what it does from now on is recorded anew. */
  readonly is_open: boolean;
  /** It is in the middle of a turn. */
  readonly is_active: boolean;
  /** Remotes that had some of it when they were last asked. */
  readonly sent_to: readonly string[];
  /** Sessions whose checkpoints have its conversation too: they were forked from it. */
  readonly carried_on_by: readonly string[];
  /** What the agents themselves keep of it, which is not Seam's. */
  readonly transcripts: readonly string[];
}

export interface ForgottenPart {
  readonly id: string;
  readonly commit_sha?: string;
  /** Sessions that stay in it. */
  readonly others: number;
}

/** The session whose id starts like this, wherever something is kept of it. */
export async function planForget(record: RepoRecord, start: string): Promise<ForgetPlan> {
  const { states, store, repo } = record;
  const all = await allCheckpoints(store);
  const id = await sessionNamed(record, start, all);
  const mine = states.all().filter(({ session_id }) => session_id === id);
  const running = mine.filter(
    ({ phase, owner }) => phase !== "ended" && (!owner || isAlive(owner)),
  );
  const parts = all.filter(({ sessions }) => sessions.some((one) => isOf(one, id)));
  const taken = await snapshots(store, { session: id });
  const sentTo: string[] = [];
  for (const { name, id: tip } of await listRefs(repo, REMOTES_PREFIX)) {
    for (const part of tip === undefined ? [] : parts) {
      const theirs = await readCheckpoint(store, part.id, tip).catch(() => undefined);
      if (!theirs?.sessions.some((one) => isOf(one, id))) continue;
      sentTo.push(name.slice(REMOTES_PREFIX.length).replace(/\/v1$/, ""));
      break;
    }
  }
  return {
    session_id: id,
    agents: agentsOf(mine, taken),
    turns: new Set(taken.map(({ record: { turn_id } }) => turn_id)).size,
    checkpoints: parts.map(({ id: checkpoint, metadata, sessions }) => ({
      id: checkpoint,
      ...(metadata.commit_sha !== undefined && { commit_sha: metadata.commit_sha }),
      others: sessions.filter((one) => !isOf(one, id)).length,
    })),
    pending_files: [...new Set(mine.flatMap(uncommittedFiles))],
    is_open: running.length > 0,
    is_active: running.some(({ phase }) => phase === "active"),
    sent_to: sentTo,
    carried_on_by: await carriedOnBy(record, id, all),
    transcripts: transcriptsOf(id, mine),
  };
}

/** Sessions that brought the prompts of this one with them when they began. */
async function carriedOnBy(
  { store }: RepoRecord,
  id: string,
  all: readonly Checkpoint[],
): Promise<string[]> {
  const parts = all.flatMap((checkpoint) =>
    checkpoint.sessions.map((session) => ({ checkpoint, session, ...session.metadata })),
  );
  const asked = new Set<string>();
  for (const { checkpoint, session } of parts.filter(({ session_id }) => session_id === id)) {
    const text = (await readPrompt(store, checkpoint, session.index)) ?? "";
    for (const prompt of text.split(PROMPT_SEPARATOR)) if (prompt !== "") asked.add(prompt.trim());
  }
  const found: string[] = [];
  for (const other of new Set(parts.map(({ session_id }) => session_id))) {
    const [first] = parts
      .filter(({ session_id }) => session_id === other)
      .sort((a, b) => startOf(a) - startOf(b));
    if (other === id || !first || startOf(first) === 0) continue;
    const { checkpoint, session, agent = "" } = first;
    const format = agentOfType(agent)?.transcript;
    const content = format && (await readTranscript(store, checkpoint, session.index));
    if (!format || !content) continue;
    for (const { position, entry } of contentEntries(format, content)) {
      if (position >= startOf(first)) break;
      if (entry.kind !== "user" || !asked.has(entry.text?.trim() ?? "")) continue;
      found.push(other);
      break;
    }
  }
  return found;
}

/** Before that is what the session had with it. */
const startOf = ({
  checkpoint_transcript_start: start = 0,
}: {
  checkpoint_transcript_start?: number;
}) => start;

/** With copies that the agent has for other folders, where the session was gone on with. */
function transcriptsOf(id: string, states: readonly SessionState[]): string[] {
  const known = states.flatMap((state) => transcriptRef(state) ?? []);
  const copies = known.flatMap((path) => {
    const [folder, name] = [dirname(dirname(path)), basename(path)];
    if (!name.includes(id)) return [];
    return namesIn(folder).map((one) => join(folder, one, name));
  });
  return [...new Set([...known, ...copies.filter((path) => existsSync(path))])];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Those of a turn that its agent did not live to end are not among what is pending yet. */
function uncommittedFiles({ phase, pending, turn_files = [] }: SessionState): string[] {
  return [...Object.keys(pending.files), ...(phase === "active" ? turn_files : [])];
}

function agentsOf(
  states: readonly { readonly agent: string }[],
  taken: readonly { readonly record: { readonly agent: string } }[],
): string[] {
  return [...new Set([...states, ...taken.map(({ record }) => record)].map(({ agent }) => agent))];
}

function isOf({ metadata }: Checkpoint["sessions"][number], id: string): boolean {
  return metadata.session_id === id;
}

/** What cannot be undone is not done to what a slip of the finger names. */
const SHORTEST_START = 6;

async function sessionNamed(
  { states, store }: RepoRecord,
  start: string,
  checkpoints: readonly Checkpoint[],
): Promise<string> {
  const ids = new Set([
    ...states.all().map(({ session_id }) => session_id),
    ...checkpoints.flatMap(({ sessions }) => sessions.map(({ metadata }) => metadata.session_id)),
    ...(start === "" ? [] : await sessionsWithTurns(store, start)),
  ]);
  if (ids.has(start)) return start;
  const [found, ...others] = [...ids].filter((id) => start !== "" && id.startsWith(start));
  if (found !== undefined && start.length < SHORTEST_START) {
    throw new SeamError("SEAM_FORGET_SHORT", { name: start, least: SHORTEST_START });
  }
  if (found === undefined) throw new SeamError("SEAM_RECORD_NO_SESSION", { name: start });
  if (others.length === 0) return found;
  const list = [found, ...others].map((id) => `\n  ${id}`).join("");
  throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: start, list });
}
