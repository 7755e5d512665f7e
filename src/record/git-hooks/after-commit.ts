import {
  type CommitFacts,
  commitFacts,
  headOf,
  pathFromShown,
  type Repo,
  trailersOf,
  treeValueAt,
} from "../../git/index.ts";
import { readTranscript } from "../accept.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { isCheckpointId, newCheckpointId } from "../checkpoint/place.ts";
import { readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { sessionPart } from "../checkpoint/session-part.ts";
import { storeTranscript } from "../checkpoint/store-transcript.ts";
import { type SessionPart, writeCheckpoints } from "../checkpoint/write-checkpoint.ts";
import type { Keeper } from "../keeper.ts";
import { type Linked, link, type Staged } from "../link/link.ts";
import { ancestorsOf } from "../process-tree.ts";
import { seamDirOf } from "../seam-dir.ts";
import type { SessionState } from "../session/state.ts";
import { checkpointed } from "../session/step.ts";
import { commitChanges, lineComparer } from "./commit-diff.ts";
import type { GitRequest } from "./request.ts";
import { Reservations } from "./reservations.ts";

/** post-commit: writes the checkpoint of the commit that was just made. */
export async function afterCommit(keeper: Keeper, repo: Repo, request: GitRequest): Promise<void> {
  const head = await headOf(repo);
  // Told by whoever took the hook: HEAD may be elsewhere by now.
  const commit = request.input.trim() || head.commit;
  if (commit === undefined) return;
  await recordCommit(keeper, repo, commit, head.branch, request.pid);
}

export async function recordCommit(
  keeper: Keeper,
  repo: Repo,
  commit: string,
  branch: string | undefined,
  pid: number,
): Promise<void> {
  const { store, states } = keeper.record;
  const facts = await commitFacts(store, commit);
  if (!facts) return;
  if (await isRecorded(keeper, facts)) return;
  const changes = await commitChanges(store, facts);
  const fresh = await newId(keeper, facts.message);
  const reservations = new Reservations(seamDirOf(repo));
  const linked = await linkedTo(keeper, repo, facts.parents[0], changes, pid);
  for (const { agent, session_id, why } of fresh === undefined ? [] : reservations.get(fresh)) {
    // The message promised it: a session that has moved on meanwhile is in it all the same.
    const session = states.get(agent, session_id);
    const isIn = linked.some((one) => one.session.session_id === session_id);
    if (session && !isIn) linked.push({ session, why, paths: [] });
  }
  if (linked.length === 0) return;
  if (fresh === undefined) {
    keeper.log("warn", `Commit ${commit} has no trailer: something keeps git hooks from running`);
  }
  const id = fresh ?? newCheckpointId();
  const parts: SessionPart[] = [];
  const after: SessionState[] = [];
  for (const one of linked) {
    const state = await readTranscript(keeper, one.session);
    const stored = await storeTranscript(keeper, state);
    const files = await filesOf(keeper, one, changes);
    const about = { commit, files, ...(branch !== undefined && { branch }) };
    parts.push(await sessionPart(keeper, state, stored, about));
    const remaining = Object.entries(state.pending.files).filter(
      ([path, { blob }]) => !changes.has(path) || changes.get(path) !== blob,
    );
    const next = checkpointed(state, id, Object.fromEntries(remaining));
    after.push({ ...next, ...(stored && { stored }) });
  }
  await writeCheckpoints(store, `Checkpoint: ${id}`, [
    {
      id,
      commit,
      ...(branch !== undefined && { branch }),
      fileHashes: Object.fromEntries(changes),
      parts,
    },
  ]);
  for (const state of after) states.put(state);
  reservations.remove(id);
}

/** After a crash a commit comes a second time. */
async function isRecorded({ record: { store } }: Keeper, { id, message }: CommitFacts) {
  for (const one of trailersOf(message, TRAILER)) {
    if ((await readCheckpoint(store, one))?.metadata.commit_sha === id) return true;
  }
  return false;
}

/** The id in the message that no checkpoint has yet: others were brought along by an amend. */
async function newId({ record: { store } }: Keeper, message: string): Promise<string | undefined> {
  for (const id of trailersOf(message, TRAILER).filter(isCheckpointId).reverse()) {
    if (!(await readCheckpoint(store, id))) return id;
  }
  return undefined;
}

async function linkedTo(
  { record: { store, states } }: Keeper,
  repo: Repo,
  parent: string | undefined,
  changes: Staged,
  pid: number,
): Promise<Linked[]> {
  const tree = parent === undefined ? undefined : await store.info(`${parent}^{tree}`);
  return link({
    sessions: states.live(),
    workTree: repo.workTree ?? repo.gitDir,
    staged: changes,
    ancestors: ancestorsOf(pid),
    holdsLinesOf: lineComparer(store, tree?.id),
  });
}

/** Files of the commit that are the session's: known from before, or changed in this turn. */
async function filesOf(
  { record: { store } }: Keeper,
  { session, why, paths }: Linked,
  changes: Staged,
): Promise<string[]> {
  if (why === "content") return [...paths];
  const { turn_start_tree: start, turn_files = [] } = session;
  const files: string[] = [];
  for (const [path, blob] of changes) {
    const isKnown = path in session.pending.files || turn_files.includes(path);
    const before =
      start === undefined ? undefined : await treeValueAt(store, start, pathFromShown(path));
    if (isKnown || start === undefined || (before?.id ?? null) !== blob) files.push(path);
  }
  return files;
}
