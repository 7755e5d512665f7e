import { addTokens, noTokens, type TokenUsage, tokensSince } from "../../events/index.ts";
import { type CommitFacts, commitFacts, headOf, type Repo, trailersOf } from "../../git/index.ts";
import { idOfCommit, isCheckpointId, PROMPT_SEPARATOR } from "../checkpoint/checkpoint-files.ts";
import { hashesNow } from "../checkpoint/hashes-now.ts";
import { releaseTranscripts } from "../checkpoint/held-transcripts.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { readCheckpoint, readPrompt } from "../checkpoint/read-checkpoint.ts";
import { sessionPart } from "../checkpoint/session-part.ts";
import { untilWhole, withTranscript } from "../checkpoint/store-transcript.ts";
import { isReplacedName, touchedIn } from "../checkpoint/touched-in.ts";
import { type SessionPart, writeCheckpoints } from "../checkpoint/write-checkpoint.ts";
import { commitChanges, lineComparer, newInTurn, stillWaits } from "../link/commit-diff.ts";
import { isAsLeft, isOneOf, isPerhaps, type Linked, link, type Staged } from "../link/link.ts";
import { isSameSession, type WhoChanged, whoChanged } from "../link/who-changed.ts";
import type { RecordingContext } from "../recording-context.ts";
import { seamDirOf } from "../seam-dir.ts";
import { newState } from "../session/new-state.ts";
import { type EndOfCommit, endOfCommit, readTranscript } from "../session/read-transcript.ts";
import type { ProcessId, SessionState, TouchedFile } from "../session/state.ts";
import { checkpointed } from "../session/step.ts";
import { settleReverted } from "../snapshot/settle-reverted.ts";
import { followRecommitted, rememberCommit } from "./recommitted-work.ts";
import { Reservations, type Reserved } from "./reservations.ts";
import { noteTakenUp, settleOthers } from "./unlinked-sessions.ts";

/** A commit that was just made. */
interface Made {
  readonly facts: CommitFacts;
  readonly branch?: string;
  readonly changes: Staged;
  /** The tree it was made upon. */
  readonly base: string | undefined;
  readonly whoChanged: WhoChanged;
}

/** Which commit is to be recorded, and what is known of who made it. */
export interface CommitToRecord {
  /** Undefined means the commit that HEAD is at. */
  readonly commit: string | undefined;
  /** Processes that made it, the nearest first. */
  readonly makers: readonly ProcessId[];
  /** The session that said itself that it made it. */
  readonly maker?: SessionState;
}

/**
 * Writes the checkpoint of a commit, however it became known: by a hook, an agent, or a look at
 * HEAD.
 */
export async function recordCommit(
  context: RecordingContext,
  repo: Repo,
  { commit: told, makers, maker }: CommitToRecord,
): Promise<void> {
  const { store, states } = context.record;
  const head = await headOf(repo);
  // The request names the commit where it knows it: HEAD may be elsewhere by now.
  const commit = told ?? head.commit;
  const facts = commit === undefined ? undefined : await commitFacts(store, commit);
  if (!facts) return;
  const [parent] = facts.parents;
  const changes = await commitChanges(store, facts);
  const made: Made = {
    facts,
    changes,
    base: parent === undefined ? undefined : (await store.info(`${parent}^{tree}`))?.id,
    whoChanged: whoChanged(repo, states.recent(), (facts.committer.time + 1) * 1000),
    ...(head.branch !== undefined && { branch: head.branch }),
  };
  const reservations = new Reservations(seamDirOf(repo));
  const id = idFor(facts, reservations);
  if (id !== undefined) {
    const reserved = reservations.get(id) ?? [];
    const linked = await linkedTo(context, repo, made, { makers, maker }, reserved);
    const isIn = ({ session: { last_checkpoint_id, turn_checkpoint_ids } }: Linked) =>
      last_checkpoint_id === id || turn_checkpoint_ids.includes(id);
    const isNew = linked.filter((one) => !isIn(one));
    await recordAmended(context, made, id, linked.filter(isIn));
    if (isNew.length > 0) {
      if (!facts.message.includes(id)) {
        context.log("info", `Commit ${facts.id} has no trailer; its checkpoint is ${id}`);
      }
      await record(context, repo, made, id, { linked: isNew, reserved });
    }
    noteTakenUp(context, repo, changes, linked);
    reservations.remove(id);
  }
  settleOthers(context, repo, changes);
  await followRecommitted(context, repo, made);
  await settleReverted(context, repo);
}

/**
 * The id under which a commit is recorded: the one that was reserved for it. An id that was not
 * reserved here came with an amend or a cherry-pick, as did a commit whose author date is older
 * than the commit: those are recorded already, as far as they are an agent's work.
 */
function idFor({ id, message, author, committer }: CommitFacts, reservations: Reservations) {
  const ids = trailersOf(message, TRAILER).filter(isCheckpointId);
  const reserved = ids.findLast((one) => reservations.get(one) !== undefined);
  if (reserved !== undefined) return reserved;
  const isCopy = ids.length > 0 || committer.time - author.time > COPY_SECONDS;
  return isCopy ? undefined : idOfCommit(id);
}

/** The author's date is this much older only if the commit was made from another one. */
const COPY_SECONDS = 60;

async function record(
  context: RecordingContext,
  repo: Repo,
  made: Made,
  id: string,
  {
    linked,
    reserved,
  }: { readonly linked: readonly Linked[]; readonly reserved: readonly Reserved[] },
): Promise<void> {
  const { store, states } = context.record;
  const { facts, branch, changes } = made;
  const safe = (name: string) => context.redactor.text(name);
  const about = { commit: facts.id, ...(branch !== undefined && { branch }) };
  const after = await untilWhole(async (anew) => {
    const parts: SessionPart[] = [];
    const fileHashes: Record<string, string | null> = {};
    const next: SessionState[] = [];
    const isMade = (facts.committer.time + 1) * 1000;
    for (const { one, read, end } of await stored(context, linked, { reserved, anew, isMade })) {
      const [state, later] = usedBy(read, end?.usedAfter);
      const asRead = { ...one, session: state };
      const files = await filesOf(context, asRead, made, theirsIn(linked, changes));
      const oneOf = files.filter((path) => isOneOfSeveral(one, path, made, linked));
      parts.push(await sessionPart(context, state, { ...about, files, oneOf }));
      for (const path of files) {
        const blob = changes.get(path);
        if (blob !== undefined) fileHashes[await safe(path)] = blob;
      }
      const left = await remaining(context, repo, made, state);
      const after = end ? { transcript_position: end.position } : state;
      next.push(withPendingTokens(checkpointed(state, id, left, after), later));
    }
    const request = {
      id,
      ...about,
      ...(branch !== undefined && { branch: await safe(branch) }),
      fileHashes,
      parts,
    };
    await writeCheckpoints(store, `Checkpoint: ${id}`, [request], context.log);
    return next;
  });
  rememberCommit(repo, facts.id, id);
  for (const state of after) {
    states.put(state);
    await releaseTranscripts(repo, state.session_id);
  }
}

/** A file that the commit deletes is of the one session that is linked with it, whoever else ran commands. */
function isOneOfSeveral(
  one: Linked,
  path: string,
  { changes, whoChanged: changer }: Made,
  linked: readonly Linked[],
): boolean {
  if (one.oneOf?.includes(path)) return true;
  const isAlone = !linked.some((other) => other !== one && other.paths.includes(path));
  if (isAlone && changes.get(path) === null) return false;
  return isOneOf(one.session, path, changer);
}

/** What a session used until the commit, and what its agent has used since. */
function usedBy(state: SessionState, after = noTokens()): [SessionState, TokenUsage] {
  const { pending, works_in } = state;
  // Where the session is at home it is counted.
  if (works_in !== undefined) return [state, noTokens()];
  const token_usage = tokensSince(after, pending.token_usage);
  return [{ ...state, pending: { ...pending, token_usage } }, after];
}

function withPendingTokens(state: SessionState, tokens: TokenUsage): SessionState {
  const token_usage = addTokens(state.pending.token_usage, tokens);
  return { ...state, pending: { ...state.pending, token_usage } };
}

/** A session that a commit is linked to, as it stands by now. */
interface Stored {
  readonly one: Linked;
  readonly read: SessionState;
  /** Where the commit ends in its transcript, if the session made it. */
  readonly end?: EndOfCommit | undefined;
}

/** Those a commit is linked to, with what their transcripts have by now: of a long one, that takes long. */
function stored(
  context: RecordingContext,
  linked: readonly Linked[],
  {
    reserved,
    anew,
    isMade,
  }: { readonly reserved: readonly Reserved[]; readonly anew: boolean; readonly isMade: number },
): Promise<Stored[]> {
  const sessions = linked.map(({ session }) => session);
  return context.aside(sessions, async () => {
    const all: Stored[] = [];
    for (const one of linked) {
      const promised = reserved.find(isOf(one));
      const lookForEnd = async () =>
        promised?.time ? endOfCommit(one.session, promised) : undefined;
      // Looked for first: what is written in between is read, but is not known to come after it.
      const end = await lookForEnd();
      // A commit that is heard of late has nothing of turns that were not heard of yet.
      const heard = Date.parse(one.session.last_seen_at) || 0;
      const at = new Date(Math.max(isMade, heard)).toISOString();
      const now = await readTranscript(context, one.session, { at });
      const read = await withTranscript(context, now, anew);
      all.push({ one, read, end: end ?? atLeastWhere(await lookForEnd()) });
    }
    return all;
  });
}

/** Nobody knows how much of what was used since then has been read. */
function atLeastWhere(end: EndOfCommit | undefined): EndOfCommit | undefined {
  return end && { ...end, usedAfter: noTokens() };
}

const isOf =
  ({ session }: Linked) =>
  ({ agent, session_id }: Reserved) =>
    agent === session.agent && session_id === session.session_id;

/** An agent made a commit anew in the same turn: its checkpoint knows the files of this one. */
async function recordAmended(
  context: RecordingContext,
  made: Made,
  id: string,
  linked: readonly Linked[],
): Promise<void> {
  const { changes } = made;
  const { store } = context.record;
  const inTurn = linked.filter(({ session }) => session.turn_checkpoint_ids.includes(id));
  const checkpoint = inTurn.length > 0 ? await readCheckpoint(store, id) : undefined;
  if (!checkpoint) return;
  const safe = (name: string) => context.redactor.text(name);
  const still = touchedIn(checkpoint, changes);
  const fileHashes = hashesNow(checkpoint, changes);
  const parts: SessionPart[] = [];
  for (const one of inTurn) {
    const known = checkpoint.sessions.find(
      ({ metadata }) => metadata.session_id === one.session.session_id,
    );
    if (!known) continue;
    const before = known.metadata.files_touched;
    const names = new Set(before.filter((name) => still.has(name) || isReplacedName(name)));
    for (const path of await filesOf(context, one, made, theirsIn(linked, changes))) {
      const name = await safe(path);
      names.add(name);
      fileHashes[name] = changes.get(path) ?? null;
    }
    const files_touched = [...names].sort();
    const text = await readPrompt(store, checkpoint, known.index);
    parts.push({
      metadata: { ...known.metadata, files_touched },
      prompts: text ? text.split(PROMPT_SEPARATOR) : [],
    });
  }
  await writeCheckpoints(
    store,
    `Amend checkpoint: ${id}`,
    [{ id, fileHashes, parts }],
    context.log,
  );
}

/** Sessions whose work the commit holds, with those its message was promised for. */
async function linkedTo(
  { record: { store, states } }: RecordingContext,
  repo: Repo,
  { changes, base, whoChanged: changer }: Made,
  { makers, maker }: { makers: readonly ProcessId[]; maker: SessionState | undefined },
  reserved: readonly Reserved[],
): Promise<Linked[]> {
  const workTree = repo.workTree ?? repo.gitDir;
  const promised = reserved.map((one): Linked => {
    const { agent, session_id, why, transcript_path, paths = [], one_of: oneOf } = one;
    // Even if the session's state is lost, the message says that it took part.
    const known = { agent, session_id, work_tree: workTree, worktree_id: repo.worktreeId };
    const here = states.get(agent, session_id, repo.worktreeId);
    const session = here ??
      states.latest(agent, session_id) ?? {
        ...newState(known, new Date().toISOString()),
        ...(transcript_path !== undefined && { transcript_path }),
      };
    const inCommit = paths.filter((path) => changes.has(path));
    return { session, why, paths: inCommit, ...(oneOf && { oneOf }) };
  });
  // Whatever the transcript says, a commit with none of the session's files is not its own.
  const isOwn = maker && [...changes.keys()].some((path) => isNamedBy(maker, path));
  const linked = await link({
    sessions: states.live(),
    // The process was identified while git ran: by now nobody can tell which one it was.
    maker: promised.find(({ why }) => why === "process")?.session ?? (isOwn ? maker : undefined),
    workTree,
    staged: changes,
    ancestors: makers,
    holdsLinesOf: lineComparer(store, base),
    isNewInTurn: newInTurn(store),
    whoChanged: changer,
  });
  const isOf = (one: Linked) => (other: Linked) => isSameSession(one.session, other.session);
  // A session whose turn ended since then no longer waits for a commit of these files.
  const both = linked.map((one): Linked => {
    const { paths = [], oneOf = [] } = promised.find(isOf(one)) ?? {};
    return { ...one, paths: [...new Set([...one.paths, ...paths])], oneOf };
  });
  return [...both, ...promised.filter((one) => !linked.some(isOf(one)))];
}

/** Files that sessions which did not make a commit left as they are in it. */
function theirsIn(linked: readonly Linked[], changes: Staged): ReadonlySet<string> {
  return new Set(
    linked.flatMap(({ session, why, paths }) =>
      why === "process"
        ? []
        : paths.filter((path) => isAsLeft(session, path, changes.get(path) ?? null)),
    ),
  );
}

/**
 * Files of the commit that are the session's: known from before, or changed in this turn by nobody
 * else.
 */
async function filesOf(
  { record: { store } }: RecordingContext,
  { session, why, paths }: Linked,
  made: Made,
  theirs: ReadonlySet<string>,
): Promise<string[]> {
  if (why === "content") return [...paths];
  const isNew = newInTurn(store);
  const files: string[] = [];
  for (const [path, blob] of made.changes) {
    const isOpen = !theirs.has(path) || isPerhaps(made, session, path);
    // An agent that commits all there is commits what a person wrote meanwhile, too.
    const isPersons = made.whoChanged(session, path).who === "nobody";
    const mayBeIts = isOpen && !isPersons && (await isNew(session, path, blob));
    if (isNamedBy(session, path) || mayBeIts) files.push(path);
  }
  return files;
}

/** Whether the file waits for a commit, or a tool of this turn changed it. */
function isNamedBy({ pending, turn_files }: SessionState, path: string): boolean {
  return path in pending.files || turn_files?.includes(path) === true;
}

/** Files of a session that wait for another commit. */
async function remaining(
  { record: { store } }: RecordingContext,
  repo: Repo,
  { changes, base }: Made,
  { pending }: SessionState,
): Promise<Record<string, TouchedFile>> {
  const waits = stillWaits(repo, store, base);
  const left: Record<string, TouchedFile> = {};
  for (const [path, file] of Object.entries(pending.files)) {
    const committed = changes.get(path);
    const isTaken =
      committed !== undefined &&
      (committed === file.blob || !(await waits(path, file.blob, committed)));
    if (!isTaken) left[path] = file;
  }
  return left;
}
