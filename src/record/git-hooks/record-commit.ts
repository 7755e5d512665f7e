import { type CommitFacts, commitFacts, headOf, type Repo, trailersOf } from "../../git/index.ts";
import { hashesNow } from "../checkpoint/hashes-now.ts";
import { releaseTranscripts } from "../checkpoint/held-transcripts.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { idOfCommit, isCheckpointId, PROMPT_SEPARATOR } from "../checkpoint/place.ts";
import { readCheckpoint, readPrompt } from "../checkpoint/read-checkpoint.ts";
import { sessionPart } from "../checkpoint/session-part.ts";
import { untilWhole, withTranscript } from "../checkpoint/store-transcript.ts";
import { isReplacedName, touchedIn } from "../checkpoint/touched-in.ts";
import { type SessionPart, writeCheckpoints } from "../checkpoint/write-checkpoint.ts";
import { commitChanges, lineComparer, newInTurn, stillWaits } from "../link/commit-diff.ts";
import { isAsLeft, type Linked, link, type Staged } from "../link/link.ts";
import type { RecordingContext } from "../recording-context.ts";
import { seamDirOf } from "../seam-dir.ts";
import { newState } from "../session/new-state.ts";
import { endOfCommit, readTranscript } from "../session/read-transcript.ts";
import type { ProcessId, SessionState, TouchedFile } from "../session/state.ts";
import { checkpointed } from "../session/step.ts";
import { settleReverted } from "../snapshot/settle-reverted.ts";
import { followRedone, rememberCommit } from "./redone.ts";
import { Reservations, type Reserved } from "./reservations.ts";

/** A commit that was just made. */
interface Made {
  readonly facts: CommitFacts;
  readonly branch?: string;
  readonly changes: Staged;
  /** The tree it was made upon. */
  readonly base: string | undefined;
}

/** Which commit is to be recorded, and what is known of who made it. */
export interface CommitToRecord {
  /** Undefined: the one HEAD is at. */
  readonly commit: string | undefined;
  /** Processes that made it, the nearest first. */
  readonly makers: readonly ProcessId[];
  /** The session that said itself that it made it. */
  readonly maker?: SessionState;
}

/** Writes the checkpoint of a commit, whoever told of it: a hook, an agent, or a look at HEAD. */
export async function recordCommit(
  context: RecordingContext,
  repo: Repo,
  { commit: told, makers, maker }: CommitToRecord,
): Promise<void> {
  const { store } = context.record;
  const head = await headOf(repo);
  // Told where it is known: HEAD may be elsewhere by now.
  const commit = told ?? head.commit;
  const facts = commit === undefined ? undefined : await commitFacts(store, commit);
  if (!facts) return;
  const [parent] = facts.parents;
  const made: Made = {
    facts,
    changes: await commitChanges(store, facts),
    base: parent === undefined ? undefined : (await store.info(`${parent}^{tree}`))?.id,
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
    reservations.remove(id);
  }
  settleOthers(context, repo, made);
  await followRedone(context, repo, made);
  await settleReverted(context, repo);
}

/**
 * The id under which a commit is recorded: the one that was reserved for it. One from elsewhere
 * came with an amend, a cherry-pick or the like, and so did a commit that is older than itself:
 * these are recorded already, as far as they are an agent's work.
 */
function idFor({ id, message, author, committer }: CommitFacts, reservations: Reservations) {
  const ids = trailersOf(message, TRAILER).filter(isCheckpointId);
  const reserved = ids.findLast((one) => reservations.get(one) !== undefined);
  if (reserved !== undefined) return reserved;
  const isCopy = ids.length > 0 || committer.time - author.time > COPY_SECONDS;
  return isCopy ? undefined : idOfCommit(id);
}

/** An author is this much older than the commit only if the commit was made of another one. */
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
    for (const one of linked) {
      const read = await readTranscript(context, one.session);
      const state = await withTranscript(context, read, anew);
      const files = await filesOf(context, one, changes, theirsIn(linked, changes));
      parts.push(await sessionPart(context, state, { ...about, files }));
      for (const path of files) {
        const blob = changes.get(path);
        if (blob !== undefined) fileHashes[await safe(path)] = blob;
      }
      const left = await remaining(context, repo, made, state);
      const promised = reserved.find(isOf(one));
      const after = promised?.time && (await endOfCommit(one.session, promised));
      const end = typeof after === "number" ? { transcript_position: after } : state;
      next.push(checkpointed(state, id, left, end));
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

const isOf =
  ({ session }: Linked) =>
  ({ agent, session_id }: Reserved) =>
    agent === session.agent && session_id === session.session_id;

/** An agent made a commit anew in the same turn: its checkpoint knows the files of this one. */
async function recordAmended(
  context: RecordingContext,
  { changes }: Made,
  id: string,
  linked: readonly Linked[],
): Promise<void> {
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
    for (const path of await filesOf(context, one, changes, theirsIn(linked, changes))) {
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
  { changes, base }: Made,
  { makers, maker }: { makers: readonly ProcessId[]; maker: SessionState | undefined },
  reserved: readonly Reserved[],
): Promise<Linked[]> {
  const workTree = repo.workTree ?? repo.gitDir;
  const promised = reserved.map(({ agent, session_id, why, transcript_path }): Linked => {
    // Whatever happened to what was known of it: the message says that it is there.
    const known = { agent, session_id, work_tree: workTree, worktree_id: repo.worktreeId };
    const here = states.get(agent, session_id, repo.worktreeId);
    const session = here ??
      states.latest(agent, session_id) ?? {
        ...newState(known, new Date().toISOString()),
        ...(transcript_path !== undefined && { transcript_path }),
      };
    return { session, why, paths: [] };
  });
  // Whatever is said in its transcript: a commit with none of its files is not its own.
  const isOwn = maker && [...changes.keys()].some((path) => isNamedBy(maker, path));
  const linked = await link({
    sessions: states.live(),
    // Seen while git ran: by now nobody can tell which process it was.
    maker: promised.find(({ why }) => why === "process")?.session ?? (isOwn ? maker : undefined),
    workTree,
    staged: changes,
    ancestors: makers,
    holdsLinesOf: lineComparer(store, base),
    isNewInTurn: newInTurn(store),
  });
  const isIn = ({ session: { agent, session_id } }: Linked) =>
    linked.some(({ session }) => session.session_id === session_id && session.agent === agent);
  return [...linked, ...promised.filter((one) => !isIn(one))];
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
  changes: Staged,
  theirs: ReadonlySet<string>,
): Promise<string[]> {
  if (why === "content") return [...paths];
  const isNew = newInTurn(store);
  const files: string[] = [];
  for (const [path, blob] of changes) {
    if (isNamedBy(session, path) || (!theirs.has(path) && (await isNew(session, path, blob)))) {
      files.push(path);
    }
  }
  return files;
}

/** Waits for a commit, or was changed by a tool in this turn. */
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

/** What sessions wrote that are not linked to the commit waits no longer if the commit has it. */
function settleOthers(
  { record: { states } }: RecordingContext,
  repo: Repo,
  { changes }: Made,
): void {
  const here = states.live().filter(({ work_tree }) => work_tree === repo.workTree);
  for (const state of here) {
    const files = Object.entries(state.pending.files);
    const left = files.filter(([path, { blob }]) => changes.get(path) !== blob);
    if (left.length === files.length) continue;
    // Only files are settled: prompts, tokens and skills still have a checkpoint to come.
    states.put({ ...state, pending: { ...state.pending, files: Object.fromEntries(left) } });
  }
}
