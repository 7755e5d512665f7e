import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  addTrailer,
  commitFacts,
  configOf,
  headOf,
  inProgress,
  type Repo,
  trailersOf,
} from "../../git/index.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { isCheckpointId, newCheckpointId } from "../checkpoint/place.ts";
import type { Keeper } from "../keeper.ts";
import { link } from "../link/link.ts";
import { ancestorsOf, argumentsOf } from "../process-tree.ts";
import { seamDirOf } from "../seam-dir.ts";
import { lineComparer, stagedChanges } from "./commit-diff.ts";
import type { GitRequest } from "./request.ts";
import { Reservations } from "./reservations.ts";

/** Operations that bring the messages of earlier commits along, trailers and all. */
const CARRIES_MESSAGES: ReadonlySet<string> = new Set(["rebase", "am", "cherry-pick", "revert"]);

/** prepare-commit-msg: a commit with an agent's work gets a trailer. */
export async function prepareMessage(
  keeper: Keeper,
  repo: Repo,
  request: GitRequest,
): Promise<void> {
  const [file, source] = request.args;
  if (file === undefined || source === "merge") return;
  const operation = inProgress(repo);
  if (operation !== undefined && CARRIES_MESSAGES.has(operation)) return;
  const path = resolve(request.cwd, file);
  const before = readFileSync(path, "utf8");
  const options = await commentOptions(repo);
  const ids = await inheritedIds(keeper, repo, request, before, source);
  const isAmend = amends(request);
  const linked = await linkedNow(keeper, repo, request);
  if (
    linked.length > 0 &&
    !(isAmend && ids.length > 0 && linked.every(({ paths }) => !paths.length))
  ) {
    const id = newCheckpointId();
    const reserved = linked.map(({ session: { agent, session_id }, why }) => ({
      agent,
      session_id,
      why,
    }));
    new Reservations(seamDirOf(repo)).add(id, reserved);
    ids.push(id);
  }
  const after = ids.reduce((text, id) => addTrailer(text, TRAILER, id, options), before);
  if (after !== before) writeFileSync(path, after);
}

/** commit-msg: a message that is nothing but Seam's trailer is no message, so git gives up. */
export async function checkMessage(
  _keeper: Keeper,
  repo: Repo,
  { args: [file], cwd }: GitRequest,
): Promise<void> {
  if (file === undefined) return;
  const path = resolve(cwd, file);
  const text = readFileSync(path, "utf8");
  const { commentChar = "#" } = await commentOptions(repo);
  const trailer = new RegExp(`^${TRAILER}:.*$`, "gm");
  const isSaid = (line: string) => line.trim() !== "" && !line.startsWith(commentChar);
  const [said = ""] = text.split(`${commentChar} ------------------------ >8 `);
  if (!trailer.test(said)) return;
  if (said.replace(trailer, "").split("\n").some(isSaid)) return;
  writeFileSync(path, text.replace(trailer, ""));
}

async function linkedNow(keeper: Keeper, repo: Repo, request: GitRequest) {
  const { states, store } = keeper.record;
  const sessions = states.live();
  if (sessions.length === 0) return [];
  const head = await headOf(repo);
  const staged = await stagedChanges(repo, head.commit, request.indexFile);
  const tree = head.commit === undefined ? undefined : await store.info(`${head.commit}^{tree}`);
  return link({
    sessions,
    workTree: repo.workTree ?? repo.gitDir,
    staged,
    ancestors: ancestorsOf(request.pid),
    holdsLinesOf: lineComparer(store, tree?.id),
  });
}

/** Ids of commits that this one takes the place of. */
async function inheritedIds(
  { record: { store } }: Keeper,
  repo: Repo,
  request: GitRequest,
  message: string,
  source: string | undefined,
): Promise<string[]> {
  const ids = source === "squash" ? trailersOf(message, TRAILER) : [];
  if (amends(request)) {
    const head = await headOf(repo);
    const old = head.commit === undefined ? undefined : await commitFacts(store, head.commit);
    if (old) ids.push(...trailersOf(old.message, TRAILER));
  }
  return [...new Set(ids)].filter(isCheckpointId);
}

function amends({ pid }: GitRequest): boolean {
  return argumentsOf(pid).includes("--amend");
}

async function commentOptions(repo: Repo): Promise<{ commentChar?: string }> {
  const commentChar = (await configOf(repo)).get("core.commentchar");
  return commentChar && commentChar !== "auto" ? { commentChar } : {};
}
