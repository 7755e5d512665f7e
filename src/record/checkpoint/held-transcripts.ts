import {
  commitFacts,
  editTree,
  identityOf,
  ObjectBatch,
  type Repo,
  rawPath,
  readRef,
  updateRef,
} from "../../git/index.ts";
import { fileSafe } from "../file-safe.ts";
import { publish } from "../publish-objects.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { SessionState } from "../session/state.ts";

/**
 * Transcripts that are stored and in no checkpoint yet, one reference for a session. Their agent may
 * have written them anew since: git must not throw away the only copy.
 */
const HELD_PREFIX = "refs/seam/held/";

const heldRef = (sessionId: string) => `${HELD_PREFIX}${fileSafe(sessionId)}`;

/** Keeps what is stored of a session's transcript, beside what is kept of it already. */
export async function holdTranscripts(
  { record, log }: RecordingContext,
  state: SessionState,
): Promise<void> {
  const { store, repo } = record;
  const { session_id, stored, earlier = [] } = state;
  const transcripts = stored ? [...earlier, stored] : earlier;
  const blobs = transcripts.flatMap(({ chunks, tail = [] }) => [...chunks, ...[tail].flat()]);
  if (blobs.length === 0) return;
  try {
    const ref = heldRef(session_id);
    const before = await readRef(repo, ref);
    const known = before === undefined ? undefined : await commitFacts(store, before);
    const batch = new ObjectBatch(store);
    // A tree can name each of them only once.
    const changes = [...new Set(blobs)].map((id) => ({
      path: rawPath(id),
      entry: { mode: "100644", id },
    }));
    const tree = await editTree(batch, known?.tree, changes);
    const signature = await identityOf(repo);
    const message = `Transcript of ${session_id} before it was written anew\n`;
    const commit = { tree, parents: [], author: signature, committer: signature, message };
    await publish(record, batch, { ref, to: await batch.writeCommit(commit), from: before });
  } catch (error) {
    log("warn", `The transcript of ${session_id} is not safe from git gc yet`, error);
  }
}

/** Drops the reference, once a checkpoint has the transcripts or nobody wants them any more. */
export async function releaseTranscripts(repo: Repo, sessionId: string): Promise<void> {
  const ref = heldRef(sessionId);
  const held = await readRef(repo, ref);
  if (held !== undefined) await updateRef(repo, ref, null, held);
}
