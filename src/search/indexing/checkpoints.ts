import { type Agent, agentNamed, agentOfType, contentEntries } from "../../agents/index.ts";
import { openRepo } from "../../git/index.ts";
import {
  type BlockedCall,
  type Checkpoint,
  checkpointsTip,
  latestCheckpoints,
  openRepoRecord,
  type RepoRecord,
  readTranscript,
  rememberedRepositories,
  type StoredSession,
} from "../../record/index.ts";
import { numberIn, textIn } from "../store/database.ts";
import type { IndexWriter } from "../store/writer.ts";
import type { Source } from "./source-reader.ts";

interface Parts {
  readonly writer: IndexWriter;
  readonly log: (text: string, error: unknown) => void;
  /** Reads a source into the index, if it changed. */
  readonly take: (source: Source) => Promise<void>;
  /** Aborted when there is no time left for the rest. */
  readonly leaving: AbortSignal;
}

/**
 * What the record of every repository that Seam knows adds: which commits a session led to, which of
 * its calls were stopped, and transcripts that are not on this machine. A repository whose
 * checkpoints are where they were is not looked at.
 */
export async function takeRecords({ writer, log, take, leaving }: Parts): Promise<void> {
  for (const { workTree, repository } of rememberedRepositories()) {
    leaving.throwIfAborted();
    try {
      const repo = await openRepo(workTree);
      if (!repo) continue;
      const record = openRepoRecord(repo);
      try {
        const tip = (await checkpointsTip(record.store)) ?? "";
        const stops = stopsIn(record);
        const known = writer.database.one(
          "SELECT tip FROM records WHERE repository = ?",
          repository,
        );
        const mark = `${tip}/${stops.map(({ calls }) => calls.length).join(",")}`;
        if (textIn(known, "tip") === mark) continue;
        await takeRepository(record, { writer, take }, repository, stops);
        writer.begin();
        writer.database.run("INSERT OR REPLACE INTO records VALUES (?, ?)", repository, mark);
      } finally {
        await record.store.close();
      }
    } catch (error) {
      leaving.throwIfAborted();
      log(`the record of ${workTree} cannot be read for the index`, error);
    }
  }
}

interface Stops {
  readonly agent: Agent;
  readonly session: string;
  readonly calls: readonly BlockedCall[];
}

/** The calls that were stopped in sessions that have no checkpoint yet. */
function stopsIn({ states }: RepoRecord): Stops[] {
  return states.all().flatMap(({ agent: name, session_id, pending }) => {
    const agent = agentNamed(name);
    const calls = pending.blocked_calls;
    return agent && calls.length > 0 ? [{ agent, session: session_id, calls }] : [];
  });
}

async function takeRepository(
  record: RepoRecord,
  { writer, take }: Pick<Parts, "writer" | "take">,
  repository: string,
  pending: readonly Stops[],
): Promise<void> {
  const stops = new Map<string, Stops & { calls: BlockedCall[] }>();
  const addStops = ({ agent, session, calls }: Stops) => {
    const known = stops.get(`${agent.name}/${session}`) ?? { agent, session, calls: [] };
    known.calls.push(...calls);
    stops.set(`${agent.name}/${session}`, known);
  };
  for (const one of pending) addStops(one);
  const project = record.repo.workTree ?? record.repo.gitDir;
  const seen = new Set<string>();
  // The newest first: its transcript holds what the ones before had.
  for (const checkpoint of await latestCheckpoints(record.store, Number.MAX_SAFE_INTEGER)) {
    for (const stored of checkpoint.sessions) {
      const { metadata } = stored;
      const agent = agentOfType(metadata.agent ?? "");
      if (!agent) continue;
      const session = metadata.session_id;
      addStops({ agent, session, calls: metadata.blocked_calls ?? [] });
      const key = `${agent.name}/${session}`;
      if (!seen.has(key) && !isOnDisk(writer, agent.name, session)) {
        await take(sourceOf(record, repository, checkpoint, stored, agent));
      }
      seen.add(key);
      noteCheckpoint(writer, { agent: agent.name, session, project }, checkpoint);
    }
  }
  for (const { agent, session, calls } of stops.values()) {
    if (calls.length > 0) await take({ ...stopSource(repository, agent, session, calls), project });
  }
}

function isOnDisk({ database }: IndexWriter, agent: string, session: string): boolean {
  const row = database.one(
    `SELECT 1 FROM sources JOIN sessions ON sessions.id = sources.session
     WHERE sessions.agent = ? AND sessions.session = ? AND sources.ref NOT LIKE 'git:%' AND sources.ref NOT LIKE 'stops:%'`,
    agent,
    session,
  );
  return row !== undefined;
}

/** Which commit a session led to, and where, if its transcript does not say that. */
function noteCheckpoint(
  writer: IndexWriter,
  { agent, session, project }: { agent: string; session: string; project: string },
  { metadata }: Checkpoint,
): void {
  const { database } = writer;
  const row = database.one(
    "SELECT id, project FROM sessions WHERE agent = ? AND session = ?",
    agent,
    session,
  );
  const id = numberIn(row, "id");
  if (id === undefined) return;
  writer.begin();
  if (textIn(row, "project") === undefined) {
    database.run("UPDATE sessions SET project = ? WHERE id = ?", project, id);
  }
  if (metadata.commit_sha !== undefined) {
    database.run("INSERT OR IGNORE INTO commits VALUES (?, ?)", id, metadata.commit_sha);
  }
}

function sourceOf(
  { repo, store }: RepoRecord,
  repository: string,
  checkpoint: Checkpoint,
  { index, metadata }: StoredSession,
  agent: Agent,
): Source {
  return {
    agent,
    ref: `git:${repository}#${agent.name}/${metadata.session_id}`,
    mark: `0/0/${checkpoint.tree}/${index}`,
    sessionId: metadata.session_id,
    project: repo.workTree ?? repo.gitDir,
    readWhole: async (sink) => {
      const content = await readTranscript(store, checkpoint, index);
      if (!content) return;
      for (const { entry, position } of contentEntries(agent.transcript, content)) {
        sink.entry(entry, { position, offset: 0 });
      }
    },
  };
}

function stopSource(
  repository: string,
  agent: Agent,
  session: string,
  calls: readonly BlockedCall[],
): Source {
  const unique = [
    ...new Map(calls.map((call) => [`${call.at}${call.tool}${call.about}`, call])).values(),
  ];
  return {
    agent,
    ref: `stops:${repository}#${agent.name}/${session}`,
    mark: `0/0/${unique.length}/${unique.at(-1)?.at}`,
    sessionId: session,
    readWhole: async (sink) => {
      for (const { tool, about = "", reason, by, at } of unique) {
        const who = by === undefined ? "" : ` (${by})`;
        sink.text({ role: "stop", tool, text: `${tool} ${about}: ${reason}${who}` }, at);
      }
    },
  };
}
