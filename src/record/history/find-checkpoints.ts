import { SeamError } from "../../errors/index.ts";
import { type CommitFacts, commitFacts, type ObjectStore, trailersOf } from "../../git/index.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { type Checkpoint, readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { commitChanges } from "../git-hooks/commit-diff.ts";
import { allCheckpoints, checkpointsNamed } from "./checkpoints.ts";

/** Trailers of tools whose checkpoints can be imported mean the same. */
export const CHECKPOINT_TRAILERS = [TRAILER, "Entire-Checkpoint"] as const;

export interface Found {
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
  const commit = await commitFacts(store, what).catch(() => undefined);
  if (commit) {
    const found = await behind(store, commit);
    if (found) return { ...found, commit };
  }
  if (named.length > 1) {
    const list = named.map(({ id }) => `\n  ${id}`).join("");
    throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: what, list });
  }
  const ofSession = (await allCheckpoints(store)).filter(({ sessions }) =>
    sessions.some(({ metadata }) => metadata.session_id.startsWith(what)),
  );
  if (ofSession.length > 0) return { checkpoints: ofSession, by: "session" };
  if (commit) throw new SeamError("SEAM_RECORD_NO_CHECKPOINT", { commit: commit.id.slice(0, 12) });
  throw new SeamError("SEAM_RECORD_NOT_FOUND", { name: what });
}

async function behind(
  store: ObjectStore,
  commit: CommitFacts,
): Promise<Omit<Found, "commit"> | undefined> {
  const ids = CHECKPOINT_TRAILERS.flatMap((key) => trailersOf(commit.message, key));
  const told = (await Promise.all(ids.map((id) => readCheckpoint(store, id)))).filter(
    (one) => one !== undefined,
  );
  if (told.length > 0) return { checkpoints: told, by: "trailer" };
  const all = await allCheckpoints(store);
  const made = all.filter(({ metadata }) => metadata.commit_sha === commit.id);
  if (made.length > 0) return { checkpoints: made, by: "commit" };
  const alike = await sameContent(store, commit, all);
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
  return all.filter(({ metadata: { file_hashes = {}, files_touched } }) =>
    files_touched.some((path) => {
      const blob = file_hashes[path];
      return typeof blob === "string" && changes.get(path) === blob;
    }),
  );
}
