import { join, resolve } from "node:path";
import { LARGE_FILE, readRegularText } from "../../files/index.ts";
import {
  addTrailer,
  commitFacts,
  headOf,
  inProgress,
  type Repo,
  trailersOf,
} from "../../git/index.ts";
import { isCheckpointId, newCheckpointId } from "../checkpoint/checkpoint-files.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { lineComparer, newInTurn, stagedChanges } from "../link/commit-diff.ts";
import { isOneOf, type Linked, link } from "../link/link.ts";
import { type WhoChanged, whoChanged } from "../link/who-changed.ts";
import { endOpenTurns } from "../open-turns.ts";
import { ancestorsOf, argumentsOf, processOf } from "../process-tree.ts";
import type { RecordingContext } from "../recording-context.ts";
import { seamDirOf } from "../seam-dir.ts";
import type { ProcessId } from "../session/state.ts";
import { type GitCommand, gitCommand } from "./git-command.ts";
import {
  markForCheck,
  messageRules,
  readMessage,
  replaceMessage,
  saidIn,
  takeCheckMark,
  trailerRules,
  withoutTrailers,
} from "./message-file.ts";
import { type BeforeCommit, recommittedIds } from "./recommitted-work.ts";
import type { MessageRequest } from "./request.ts";
import { Reservations, type Reserved } from "./reservations.ts";

/** Operations that bring the messages of earlier commits along, trailers and all. */
const CARRIES_MESSAGES: ReadonlySet<string> = new Set(["rebase", "am", "cherry-pick"]);

/** prepare-commit-msg: a commit with an agent's work gets a trailer. */
export async function prepareMessage(
  context: RecordingContext,
  repo: Repo,
  request: MessageRequest,
): Promise<void> {
  const [file, source] = request.args;
  const command = gitCommand(argumentsOf(request.pid));
  if (file === undefined || !isWaiting(request, source, command)) return;
  const operation = inProgress(repo);
  const isCarried = operation !== undefined && CARRIES_MESSAGES.has(operation);
  // A commit that git picks itself was recorded where it comes from.
  if (isCarried && command.name !== "commit") return;
  const path = resolve(request.cwd, file);
  const before = readMessage(path);
  const isContinued = isCarried && isMadeByGit(request);
  const isAmend = command.amends && !isContinued;
  if (isCarried && !isAmend && trailersOf(before, TRAILER).length > 0) return;
  const isRevert = operation === "revert" || command.name === "revert";
  const now = await standingNow(context, repo, request);
  // An agent that continues a rebase makes its commits, but may not have written them.
  const makers = isContinued ? [] : ancestorsOf(request.pid);
  await endOpenTurns(context, repo, ancestorsOf(request.pid));
  const all = await linkedNow(context, repo, makers, now);
  // An agent that reverts a commit did not write what comes back with it.
  const linked = isRevert ? all.filter(({ why }) => why === "process") : all;
  const inherited = await inheritedIds(context, repo, before, { source, isAmend });
  const known = new Set(linked.flatMap(({ paths }) => paths));
  const redone = isRevert || isContinued ? [] : await recommittedIds(context, repo, now, known);
  const ids = [...new Set([...inherited, ...redone])].filter(isCheckpointId);
  const isAgain = (isAmend || redone.length > 0) && ids.length > 0;
  const fresh = isAgain ? linked.filter((one) => hasMore(one, now, ids)) : linked;
  const rules = await messageRules(repo, request, source, command);
  // By now git may have stopped waiting for this hook.
  if (!isWaiting(request, source, command)) return;
  const reservations = new Reservations(seamDirOf(repo));
  if (isAmend) for (const [id, one] of amendedIn(linked, now, ids)) reservations.add(id, [one]);
  if (fresh.length > 0) {
    const id = newCheckpointId();
    const changer = whoChanged(repo, context.record.states.recent());
    reservations.add(
      id,
      fresh.map((one) => toReserved(one, changer)),
    );
    ids.push(id);
  }
  const placing = trailerRules(rules);
  const after = ids.reduce((text, id) => addTrailer(text, TRAILER, id, placing), before);
  if (after === before) return;
  replaceMessage(path, after);
  const said = saidIn(before, rules);
  // commit-msg need not look at a message that has a text already.
  if (said === "" || source === "template") markForCheck(repo, { ...rules, untouched: said });
}

/** Whether git still waits for the hook: one from the spool may be about a commit of long ago. */
function isWaiting(
  { pid, hookPid }: MessageRequest,
  source: string | undefined,
  { name, continues }: GitCommand,
): boolean {
  const hook = processOf(hookPid ?? pid);
  // Another process may have got the same process id by now.
  if (!hook || (hookPid !== undefined && hook.parent !== pid)) return false;
  // A merge that git makes itself is followed by no other hook.
  return source !== "merge" || name === "commit" || continues;
}

/** Commands that start `git commit` for a commit they stopped at, or whose message they open. */
const STARTS_COMMIT: ReadonlySet<string | undefined> = new Set(["rebase", "cherry-pick"]);

function isMadeByGit({ pid }: MessageRequest): boolean {
  const parent = processOf(pid)?.parent;
  return parent !== undefined && STARTS_COMMIT.has(gitCommand(argumentsOf(parent)).name);
}

/** Whether a commit that is made again holds more of a session's work than its checkpoints list. */
function hasMore(
  { session, why, paths }: Linked,
  { staged }: BeforeCommit,
  ids: readonly string[],
): boolean {
  if (why === "content") return paths.length > 0;
  return staged.size > 0 && !session.turn_checkpoint_ids.some((id) => ids.includes(id));
}

/** Checkpoints of a commit that its agent makes anew in the turn it was made in. */
function amendedIn(
  linked: readonly Linked[],
  { staged }: BeforeCommit,
  ids: readonly string[],
): [string, Reserved][] {
  if (staged.size === 0) return [];
  return linked.flatMap((one): [string, Reserved][] => {
    const id = one.session.turn_checkpoint_ids.findLast((each) => ids.includes(each));
    return one.why === "process" && id !== undefined ? [[id, toReserved(one)]] : [];
  });
}

function toReserved({ session, why, paths }: Linked, changer?: WhoChanged): Reserved {
  const { agent, session_id, transcript_path, open_calls } = session;
  const perhaps = paths.filter((path) => isOneOf(session, path, changer));
  const call = why === "process" ? open_calls?.at(-1) : undefined;
  return {
    agent,
    session_id,
    why,
    ...(call !== undefined && { call }),
    ...(why === "process" ? { time: new Date().toISOString() } : { paths }),
    ...(why === "content" && perhaps.length > 0 && { one_of: perhaps }),
    ...(transcript_path !== undefined && { transcript_path }),
  };
}

/**
 * commit-msg: a message that is nothing but Seam's trailer is no message, and neither is a template
 * with it that nobody touched. Without the trailer git gives up as it would.
 */
export async function checkMessage(
  _context: RecordingContext,
  repo: Repo,
  { args: [file], cwd }: MessageRequest,
): Promise<void> {
  const { untouched, ...rules } = takeCheckMark(repo);
  if (file === undefined) return;
  const path = resolve(cwd, file);
  const text = readMessage(path);
  const said = saidIn(text, rules);
  const rest = withoutTrailers(text);
  if (rest !== text && (said === "" || said === untouched)) replaceMessage(path, rest);
}

async function standingNow(
  { record: { store } }: RecordingContext,
  repo: Repo,
  { indexFile }: MessageRequest,
): Promise<BeforeCommit> {
  const { commit: head } = await headOf(repo);
  const staged = await stagedChanges(store, repo, head, indexFile);
  const tree = head === undefined ? undefined : await store.info(`${head}^{tree}`);
  return { head, headTree: tree?.id, staged };
}

async function linkedNow(
  { record: { states, store } }: RecordingContext,
  repo: Repo,
  ancestors: readonly ProcessId[],
  { headTree, staged }: BeforeCommit,
): Promise<Linked[]> {
  return link({
    sessions: states.live(),
    workTree: repo.workTree ?? repo.gitDir,
    staged,
    ancestors,
    holdsLinesOf: lineComparer(store, headTree),
    isNewInTurn: newInTurn(store),
    whoChanged: whoChanged(repo, states.recent()),
  });
}

/** Checkpoint ids of the commits that this one replaces. */
async function inheritedIds(
  { record: { store } }: RecordingContext,
  repo: Repo,
  message: string,
  { source, isAmend }: { readonly source: string | undefined; readonly isAmend: boolean },
): Promise<string[]> {
  const squashed = source === "message" ? squashMessage(repo) : undefined;
  const ids = trailersOf(squashed ?? (source === "squash" ? message : ""), TRAILER);
  if (isAmend) {
    const head = await headOf(repo);
    const old = head.commit === undefined ? undefined : await commitFacts(store, head.commit);
    if (old) ids.push(...trailersOf(old.message, TRAILER));
  }
  return ids;
}

/** What `git merge --squash` left for the commit, which then got a message of its own. */
function squashMessage(repo: Repo): string | undefined {
  try {
    return readRegularText(join(repo.gitDir, "SQUASH_MSG"), LARGE_FILE);
  } catch {
    return undefined;
  }
}
