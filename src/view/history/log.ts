import { agentNamed, agentOfType } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { commitFacts, listRefs } from "../../git/index.ts";
import {
  type Checkpoint,
  checkpointsDamage,
  crewTaskIn,
  crewTaskOf,
  findCheckpoints,
  isEnabled,
  latestCheckpoints,
  namesCheckpoints,
  type RepoRecord,
  readPrompt,
  type StoredSession,
  type Turn,
  timeOf,
  turns,
  withCutOff,
} from "../../record/index.ts";
import type {
  CheckpointSession,
  CheckpointView,
  LogCheckpoint,
  LogItem,
  LogPage,
  LogTurn,
} from "../api-history.ts";
import { stopOf } from "../session/decided-calls.ts";

/** What of the log is asked for. */
export interface LogWish {
  readonly branch?: string;
  readonly commit?: string;
  readonly session?: string;
  /** ISO: only what is older. */
  readonly cursor?: string;
  readonly limit: number;
}

/** How many entries are looked through for a branch, or for older ones. */
const MOST_LOOKED_AT = 2_000;
const BRANCHES = "refs/heads/";

/** Turns and checkpoints of a repository, newest first. */
export async function logOf(record: RepoRecord, wish: LogWish): Promise<LogPage> {
  const branches = (await listRefs(record.repo, BRANCHES)).map(({ name }) =>
    name.slice(BRANCHES.length),
  );
  const damage = await checkpointsDamage(record);
  const isFiltered = wish.branch !== undefined || wish.cursor !== undefined;
  // One more than wanted tells whether there is more.
  const limit = isFiltered ? MOST_LOOKED_AT : wish.limit + 1;
  const items: LogItem[] = [];
  if (wish.commit === undefined) {
    const about = wish.session === undefined ? {} : { session: wish.session };
    for (const turn of await turns(record.store, { ...about, limit })) {
      if (isWanted(turn, wish))
        items.push({ type: "turn", ...turnOf(await withCutOff(record, turn)) });
    }
  }
  for (const checkpoint of damage ? [] : await checkpointsFor(record, wish, limit)) {
    if (!isWanted({ at: timeOf(checkpoint), branch: checkpoint.metadata.branch }, wish)) continue;
    items.push({ type: "checkpoint", ...(await checkpointOf(record, checkpoint)) });
  }
  items.sort((a, b) => (a.at < b.at ? 1 : -1));
  const shown = items.slice(0, wish.limit);
  const last = items.length > shown.length ? shown.at(-1)?.at : undefined;
  return {
    items: shown,
    branches,
    ...(last !== undefined && { cursor: last }),
    ...(damage && { warning: { message: damage.message, next: damage.next } }),
    ...(items.length === 0 && { nothing: await nothing(record) }),
  };
}

export async function checkpointView(record: RepoRecord, id: string): Promise<CheckpointView> {
  const { checkpoints } = await findCheckpoints(record.store, id);
  const [checkpoint] = checkpoints;
  if (!checkpoint) throw new SeamError("SEAM_RECORD_NOT_FOUND", { name: id });
  const about = await checkpointOf(record, checkpoint);
  const commit =
    about.commit === undefined
      ? undefined
      : await commitFacts(record.store, about.commit).catch(() => undefined);
  return {
    ...about,
    repository: record.repo.workTree ?? record.repo.gitDir,
    ...(commit && { author: commit.author.name, message: commit.message }),
  };
}

async function checkpointsFor(
  { store }: RepoRecord,
  { commit, session }: LogWish,
  limit: number,
): Promise<readonly Checkpoint[]> {
  if (commit !== undefined) return (await findCheckpoints(store, commit)).checkpoints;
  return latestCheckpoints(
    store,
    limit,
    ({ sessions }) =>
      session === undefined || sessions.some(({ metadata }) => metadata.session_id === session),
  );
}

function isWanted(
  { at, branch }: { readonly at: string; readonly branch?: string | undefined },
  wish: LogWish,
): boolean {
  if (wish.cursor !== undefined && at >= wish.cursor) return false;
  return wish.branch === undefined || branch === wish.branch;
}

function turnOf(turn: Turn): LogTurn {
  const { id, at, agent, session_id, prompt, branch, files, story, thinned, start, end } = turn;
  const crew = crewTaskOf(branch);
  const calls = story?.told.entries.filter(({ kind }) => kind === "call").length;
  return {
    id,
    at,
    agent,
    agentType: agentNamed(agent)?.type ?? agent,
    session: session_id,
    ...(prompt !== undefined && { prompt }),
    ...(branch !== undefined && { branch }),
    ...(crew && { crew }),
    ...(files && { files }),
    ...(calls !== undefined && !story?.told.left_out && { calls }),
    stops: (story?.blocked_calls ?? []).map(stopOf),
    ...(story && { usage: story.token_usage }),
    ending: turn.cut_off !== undefined ? "broken off" : end ? "done" : "under way",
    rewind: { start: start !== undefined && !thinned, end: end !== undefined && !thinned },
  };
}

async function checkpointOf(record: RepoRecord, checkpoint: Checkpoint): Promise<LogCheckpoint> {
  const { id, metadata, sessions } = checkpoint;
  const { commit_sha, branch, files_touched, token_usage } = metadata;
  const commit =
    commit_sha === undefined
      ? undefined
      : await commitFacts(record.store, commit_sha).catch(() => undefined);
  const subject = commit?.message.split("\n")[0];
  const crew = crewTaskIn(commit?.message ?? "") ?? crewTaskOf(branch);
  return {
    id,
    at: timeOf(checkpoint),
    ...(commit_sha !== undefined && { commit: commit_sha }),
    ...(subject !== undefined && { subject }),
    ...(branch !== undefined && { branch }),
    ...(crew && { crew }),
    files: files_touched,
    ...(token_usage && { usage: token_usage }),
    sessions: await Promise.all(sessions.map((one) => sessionOf(record, checkpoint, one))),
  };
}

async function sessionOf(
  { store }: RepoRecord,
  checkpoint: Checkpoint,
  { index, metadata }: StoredSession,
): Promise<CheckpointSession> {
  const { session_id, agent: type = "", model, created_at, fork_of, token_usage } = metadata;
  const agent = agentOfType(type)?.name;
  const prompt = await readPrompt(store, checkpoint, index).catch(() => undefined);
  return {
    session: session_id,
    ...(agent !== undefined && { agent }),
    agentType: type,
    ...(prompt !== undefined && { prompt }),
    ...(model !== "" && { model }),
    at: created_at,
    ...(fork_of !== undefined && { forkOf: fork_of }),
    skills: (metadata.skill_events ?? []).map(({ skill }) => skill.name),
    stops: (metadata.blocked_calls ?? []).map(stopOf),
    ...(token_usage && { usage: token_usage }),
    hasTranscript: checkpoint.metadata.sessions[index]?.transcript !== undefined,
  };
}

async function nothing({ repo }: RepoRecord): Promise<string> {
  if (await namesCheckpoints(repo)) {
    return "Commits here name checkpoints that are not in this clone. Fetch them with: seam sync --fetch";
  }
  return isEnabled(repo)
    ? "Nothing is recorded yet: no agent has worked here since it was switched on."
    : "Nothing is recorded here. Switch it on with: seam enable";
}
