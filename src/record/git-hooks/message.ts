import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  addTrailer,
  commentCharOf,
  commitFacts,
  headOf,
  inProgress,
  type Repo,
  trailersOf,
} from "../../git/index.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { isCheckpointId, newCheckpointId } from "../checkpoint/place.ts";
import type { Keeper } from "../keeper.ts";
import { type Linked, link } from "../link/link.ts";
import { ancestorsOf, argumentsOf, processOf } from "../process-tree.ts";
import { seamDirOf } from "../seam-dir.ts";
import { lineComparer, newInTurn, stagedChanges } from "./commit-diff.ts";
import type { GitRequest } from "./request.ts";
import { Reservations, type Reserved } from "./reservations.ts";

/** Operations that bring the messages of earlier commits along, trailers and all. */
const CARRIES_MESSAGES: ReadonlySet<string> = new Set(["rebase", "am", "cherry-pick", "revert"]);

/** prepare-commit-msg: a commit with an agent's work gets a trailer. */
export async function prepareMessage(
  keeper: Keeper,
  repo: Repo,
  request: GitRequest,
): Promise<void> {
  const [file, source] = request.args;
  if (file === undefined || !isWaiting(request, source)) return;
  const operation = inProgress(repo);
  if (operation !== undefined && CARRIES_MESSAGES.has(operation)) return;
  const path = resolve(request.cwd, file);
  const before = readFileSync(path, "utf8");
  const options = await commentOptions(repo);
  const isAmend = amends(request);
  const ids = await inheritedIds(keeper, repo, before, { source, isAmend });
  const linked = await linkedNow(keeper, repo, request);
  const fresh = isAmend && ids.length > 0 ? linked.filter((one) => hasMore(one, ids)) : linked;
  // More could have happened meanwhile than it takes to give up waiting.
  if (!isWaiting(request, source)) return;
  if (fresh.length > 0) {
    const id = newCheckpointId();
    new Reservations(seamDirOf(repo)).add(id, fresh.map(toReserved));
    ids.push(id);
  }
  const after = ids.reduce((text, id) => addTrailer(text, TRAILER, id, options), before);
  if (after === before) return;
  replace(path, after);
  // commit-msg need not look at a message that says something.
  if (!saysSomething(before, options)) markForCheck(repo);
}

/** git still wants to know: a hook that comes from the spool is about a commit of long ago. */
function isWaiting({ pid }: GitRequest, source: string | undefined): boolean {
  if (processOf(pid) === undefined) return false;
  // A merge that git makes itself is followed by no other hook.
  return source !== "merge" || argumentsOf(pid).includes("commit");
}

/** An amended commit that holds more of a session's work than its checkpoints know. */
function hasMore({ session, why, paths, staged }: NowLinked, ids: readonly string[]): boolean {
  if (why === "content") return paths.length > 0;
  return staged > 0 && !session.turn_checkpoint_ids.some((id) => ids.includes(id));
}

function toReserved({ session: { agent, session_id, transcript_path }, why }: Linked): Reserved {
  return { agent, session_id, why, ...(transcript_path !== undefined && { transcript_path }) };
}

/** commit-msg: a message that is nothing but Seam's trailer is no message, so git gives up. */
export async function checkMessage(
  _keeper: Keeper,
  repo: Repo,
  { args: [file], cwd }: GitRequest,
): Promise<void> {
  rmSync(checkFile(repo), { force: true });
  if (file === undefined) return;
  const path = resolve(cwd, file);
  const text = readFileSync(path, "utf8");
  const options = await commentOptions(repo);
  if (text.includes(`${TRAILER}:`) && !saysSomething(text, options)) {
    replace(path, text.replaceAll(TRAILER_LINES, ""));
  }
}

/** At once: a message that is cut off in the middle would keep git from committing. */
function replace(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.seam`;
  writeFileSync(temporary, text, { mode: statSync(path).mode });
  renameSync(temporary, path);
}

const TRAILER_LINES = new RegExp(`^${TRAILER}:.*$`, "gm");

function saysSomething(text: string, { commentChar = "#" }: { commentChar?: string }): boolean {
  const [said = ""] = text.split(`${commentChar} ------------------------ >8 `);
  return said
    .replaceAll(TRAILER_LINES, "")
    .split("\n")
    .some((line) => line.trim() !== "" && !line.startsWith(commentChar));
}

/** Tells the script of commit-msg that there is something to do. */
function markForCheck(repo: Repo): void {
  writeFileSync(checkFile(repo), "");
}

const checkFile = (repo: Repo) => join(seamDirOf(repo), "check-message");

interface NowLinked extends Linked {
  /** How many paths the commit is going to change. */
  readonly staged: number;
}

async function linkedNow(keeper: Keeper, repo: Repo, request: GitRequest): Promise<NowLinked[]> {
  const { states, store } = keeper.record;
  const sessions = states.live();
  if (sessions.length === 0) return [];
  const head = await headOf(repo);
  const staged = await stagedChanges(repo, head.commit, request.indexFile);
  const tree = head.commit === undefined ? undefined : await store.info(`${head.commit}^{tree}`);
  const linked = await link({
    sessions,
    workTree: repo.workTree ?? repo.gitDir,
    staged,
    ancestors: ancestorsOf(request.pid),
    holdsLinesOf: lineComparer(store, tree?.id),
    isNewInTurn: newInTurn(store),
  });
  return linked.map((one) => ({ ...one, staged: staged.size }));
}

/** Ids of commits that this one takes the place of. */
async function inheritedIds(
  { record: { store } }: Keeper,
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
  return [...new Set(ids)].filter(isCheckpointId);
}

/** What `git merge --squash` left for the commit, which then got a message of its own. */
function squashMessage(repo: Repo): string | undefined {
  try {
    return readFileSync(join(repo.gitDir, "SQUASH_MSG"), "utf8");
  } catch {
    return undefined;
  }
}

function amends({ pid }: GitRequest): boolean {
  return argumentsOf(pid).includes("--amend");
}

async function commentOptions(repo: Repo): Promise<{ commentChar: string }> {
  return { commentChar: await commentCharOf(repo) };
}
