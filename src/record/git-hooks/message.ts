import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { replaceFile } from "../../files/index.ts";
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
import { redoneIds, type Standing } from "../link/redone.ts";
import { ancestorsOf, argumentsOf, processOf } from "../process-tree.ts";
import { seamDirOf } from "../seam-dir.ts";
import { lineComparer, newInTurn, stagedChanges } from "./commit-diff.ts";
import type { GitRequest } from "./request.ts";
import { Reservations, type Reserved } from "./reservations.ts";

/** Operations that bring the messages of earlier commits along, trailers and all. */
const CARRIES_MESSAGES: ReadonlySet<string> = new Set(["rebase", "am", "cherry-pick"]);

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
  const isRevert = operation === "revert" || commandOf(request) === "revert";
  const now = await standingNow(keeper, repo, request);
  const all = await linkedNow(keeper, repo, request, now);
  // Whoever takes something back did not write what comes back with it.
  const linked = isRevert ? all.filter(({ why }) => why === "process") : all;
  const inherited = await inheritedIds(keeper, repo, before, { source, isAmend });
  const known = new Set(linked.flatMap(({ paths }) => paths));
  const redone = isRevert ? [] : await redoneIds(keeper, repo, now, known);
  const ids = [...new Set([...inherited, ...redone])].filter(isCheckpointId);
  const isAgain = (isAmend || redone.length > 0) && ids.length > 0;
  const fresh = isAgain ? linked.filter((one) => hasMore(one, now, ids)) : linked;
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

/** A commit made anew that holds more of a session's work than its checkpoints know. */
function hasMore(
  { session, why, paths }: Linked,
  { staged }: Standing,
  ids: readonly string[],
): boolean {
  if (why === "content") return paths.length > 0;
  return staged.size > 0 && !session.turn_checkpoint_ids.some((id) => ids.includes(id));
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
  replaceFile(path, text, { mode: statSync(path).mode & 0o777 });
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

async function standingNow(
  { record: { store } }: Keeper,
  repo: Repo,
  { indexFile }: GitRequest,
): Promise<Standing> {
  const { commit: head } = await headOf(repo);
  const staged = await stagedChanges(repo, head, indexFile);
  const tree = head === undefined ? undefined : await store.info(`${head}^{tree}`);
  return { head, headTree: tree?.id, staged };
}

async function linkedNow(
  { record: { states, store } }: Keeper,
  repo: Repo,
  request: GitRequest,
  { headTree, staged }: Standing,
): Promise<Linked[]> {
  return link({
    sessions: states.live(),
    workTree: repo.workTree ?? repo.gitDir,
    staged,
    ancestors: ancestorsOf(request.pid),
    holdsLinesOf: lineComparer(store, headTree),
    isNewInTurn: newInTurn(store),
  });
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
  return ids;
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

/** Options of git itself whose value is the next argument. */
const WITH_VALUE: ReadonlySet<string> = new Set(["-c", "-C", "--git-dir", "--work-tree"]);

/** What git was told to do: "commit", "revert" … */
function commandOf({ pid }: GitRequest): string | undefined {
  const [, ...args] = argumentsOf(pid);
  return args.find((arg, at) => !arg.startsWith("-") && !WITH_VALUE.has(args[at - 1] ?? ""));
}

async function commentOptions(repo: Repo): Promise<{ commentChar: string }> {
  return { commentChar: await commentCharOf(repo) };
}
