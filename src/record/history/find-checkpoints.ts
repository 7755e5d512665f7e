import { SeamError } from "../../errors/index.ts";
import {
  atRepo,
  type CommitFacts,
  commitFacts,
  type ObjectStore,
  type Repo,
  runGit,
  trailersOf,
} from "../../git/index.ts";
import { isForgottenCheckpoint } from "../checkpoint/forgotten.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { type Checkpoint, readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { isReplacedName } from "../checkpoint/touched-in.ts";
import { descendantsOf, outsideOf } from "../link/ancestry.ts";
import { commitChanges } from "../link/commit-diff.ts";
import { EMPTY_BLOBS } from "../link/empty-blobs.ts";
import { allCheckpoints, checkpointsNamed } from "./checkpoints.ts";
import { checkpointsMadeFor } from "./commit-index.ts";

/** Trailers of tools whose checkpoints can be imported mean the same. */
export const CHECKPOINT_TRAILERS = [TRAILER, "Entire-Checkpoint"] as const;

/** Enough to see whether a repository has any, in a few milliseconds. */
const LATEST_COMMITS = 500;

export interface Found {
  /** Of a session: with its parts alone. */
  readonly checkpoints: readonly Checkpoint[];
  readonly commit?: CommitFacts;
  /** How they were found: by their own name, or from a commit or session. */
  readonly by: "id" | "trailer" | "commit" | "content" | "session";
}

/** The checkpoints behind a commit, an id or a session; parts of ids will do if they are clear. */
export async function findCheckpoints(store: ObjectStore, what: string): Promise<Found> {
  const isId = /^[0-9a-f]{4,12}$|^[0-7][0-9A-HJKMNP-TV-Z]{3,25}$/.test(what);
  const named = isId ? await checkpointsNamed(store, what) : [];
  if (named.length === 1) return { checkpoints: named, by: "id" };
  // A line end would be a second question to git.
  const isName = what !== "" && !/[\n\0]/.test(what);
  const commit = isName ? await commitFacts(store, what).catch(() => undefined) : undefined;
  if (commit) {
    const found = await behind(store, commit);
    if (found) return { ...found, commit };
  }
  if (named.length > 1) {
    const list = named.map(({ id }) => `\n  ${id}`).join("");
    throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: what, list });
  }
  const ofSession = await checkpointsOfSession(store, what);
  if (ofSession.length > 0) return { checkpoints: ofSession, by: "session" };
  if (commit) throw nothingBehind(store, commit);
  throw new SeamError("SEAM_RECORD_NOT_FOUND", { name: what });
}

/** A clone has the commits of others, but not what they recorded until it is fetched. */
function nothingBehind({ repo }: ObjectStore, { id, message }: CommitFacts): SeamError {
  const commit = id.slice(0, 12);
  const [checkpoint] = CHECKPOINT_TRAILERS.flatMap((key) => trailersOf(message, key));
  if (checkpoint === undefined) return new SeamError("SEAM_RECORD_NO_CHECKPOINT", { commit });
  const code = isForgottenCheckpoint(repo, checkpoint)
    ? "SEAM_RECORD_FORGOTTEN"
    : "SEAM_RECORD_ELSEWHERE";
  return new SeamError(code, { commit, checkpoint });
}

/** Whether one of the latest commits names a checkpoint that nobody deleted here. */
export async function namesCheckpoints(repo: Repo): Promise<boolean> {
  const args = [...atRepo(repo), "log", "-n", `${LATEST_COMMITS}`, "-z", "--format=%B", "HEAD"];
  const { stdout, code } = await runGit(args, { cwd: repo.gitDir });
  // A branch without commits.
  if (code !== 0) return false;
  const messages = stdout.toString().split("\0");
  const ids = messages.flatMap((text) =>
    CHECKPOINT_TRAILERS.flatMap((key) => trailersOf(text, key)),
  );
  return ids.some((id) => !isForgottenCheckpoint(repo, id));
}

async function checkpointsOfSession(store: ObjectStore, start: string): Promise<Checkpoint[]> {
  if (start === "") return [];
  const ids = new Set<string>();
  const found = (await allCheckpoints(store)).filter(({ sessions }) => {
    const meant = sessions.filter(({ metadata }) => metadata.session_id.startsWith(start));
    for (const { metadata } of meant) ids.add(metadata.session_id);
    return meant.length > 0;
  });
  if (ids.size > 1 && !ids.has(start)) {
    const list = [...ids].map((id) => `\n  ${id}`).join("");
    throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: start, list });
  }
  const [only] = ids;
  const meant = ids.has(start) ? start : only;
  return found.flatMap((checkpoint) => {
    const sessions = checkpoint.sessions.filter(({ metadata }) => metadata.session_id === meant);
    return sessions.length > 0 ? [{ ...checkpoint, sessions }] : [];
  });
}

async function behind(
  store: ObjectStore,
  commit: CommitFacts,
): Promise<Omit<Found, "commit"> | undefined> {
  const ids = CHECKPOINT_TRAILERS.flatMap((key) => trailersOf(commit.message, key));
  const told = (await Promise.all(ids.map((id) => readCheckpoint(store, id)))).filter(
    (one) => one !== undefined,
  );
  // A fixup loses its message, and with it the trailer.
  const made = await checkpointsMadeFor(store, commit.id);
  const untold = made.filter(({ id }) => told.every((one) => one.id !== id));
  const checkpoints = [...told, ...untold];
  if (checkpoints.length > 0) return { checkpoints, by: told.length > 0 ? "trailer" : "commit" };
  const alike = await sameContent(store, commit, await allCheckpoints(store));
  return alike.length > 0 ? { checkpoints: alike, by: "content" } : undefined;
}

/**
 * A server that squashes or rebases may drop the message. What it cannot change is the content:
 * a checkpoint belongs to a commit that has a file exactly as the checkpoint's commit left it.
 */
async function sameContent(
  store: ObjectStore,
  commit: CommitFacts,
  all: readonly Checkpoint[],
): Promise<Checkpoint[]> {
  const changes = await commitChanges(store, commit);
  const contents = new Set(changes.values());
  const alike = all.filter(({ metadata: { file_hashes = {}, files_touched } }) =>
    files_touched.some((path) => {
      const blob = file_hashes[path];
      if (typeof blob !== "string" || EMPTY_BLOBS.has(blob)) return false;
      return isReplacedName(path) ? contents.has(blob) : changes.get(path) === blob;
    }),
  );
  return withoutRelated(store, commit.id, alike);
}

const COMMIT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * What a server made of a commit stands beside it. A commit before or after it in the same history
 * is another one, and somebody else's: what it was made upon, or what brings back its content.
 */
async function withoutRelated(
  store: ObjectStore,
  commit: string,
  alike: readonly Checkpoint[],
): Promise<Checkpoint[]> {
  const made: string[] = [];
  for (const sha of new Set(alike.map(({ metadata }) => metadata.commit_sha))) {
    if (sha === undefined || !COMMIT_ID.test(sha)) continue;
    // A clone need not have it: then nothing is known but the content.
    if (await store.info(sha).catch(() => undefined)) made.push(sha);
  }
  const notBefore = await outsideOf(store, made, [commit]);
  const after = await descendantsOf(store, commit, [...notBefore]);
  const beside = new Set([...notBefore].filter((sha) => !after.has(sha)));
  return alike.filter(({ metadata: { commit_sha = "" } }) => {
    return !made.includes(commit_sha) || beside.has(commit_sha);
  });
}
