import { chunkFileName } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { addTokens, noTokens } from "../../events/index.ts";
import { storeVersion } from "../../files/index.ts";
import {
  editTree,
  identityOf,
  isCollecting,
  ObjectBatch,
  type ObjectStore,
  rawPath,
  type TreeChange,
} from "../../git/index.ts";
import { publish } from "../publish-objects.ts";
import type { Log } from "../recording-context.ts";
import {
  CONTENT_HASH,
  checkpointPath,
  earlierTranscript,
  METADATA,
  PROMPT,
  PROMPT_SEPARATOR,
  TRANSCRIPT,
} from "./checkpoint-files.ts";
import {
  CHECKPOINTS_REF,
  type CheckpointMetadata,
  type SessionMetadata,
  STRATEGY,
} from "./metadata.ts";
import { type Checkpoint, readCheckpoint } from "./read-checkpoint.ts";
import { rememberTip, tipToWriteOn } from "./tip.ts";

/** One session as it goes into a checkpoint. Everything in it is free of secrets already. */
export interface SessionPart {
  readonly metadata: Omit<SessionMetadata, "checkpoint_id" | "strategy">;
  /** Blobs of the transcript's chunks, in order; absent if there is no transcript. */
  readonly transcript?: {
    readonly chunks: readonly string[];
    readonly contentHash: string;
    /** Chunks of what it was before its agent wrote it anew, the oldest first. */
    readonly earlier?: readonly (readonly string[])[];
  };
  readonly prompts: readonly string[];
}

export interface CheckpointRequest {
  readonly id: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly fileHashes?: Readonly<Record<string, string | null>>;
  readonly parts: readonly SessionPart[];
}

/** Others may write at the same time: whoever loses looks again and goes on from there. */
const MOST_TRIES = 20;

/**
 * Writes checkpoints, or writes them again with more in them, as one commit with this subject.
 * Returns that commit.
 */
export async function writeCheckpoints(
  store: ObjectStore,
  subject: string,
  requests: readonly CheckpointRequest[],
  log?: Log,
): Promise<string | undefined> {
  if (requests.length === 0) return undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const tip = await tipToWriteOn(store, log);
    const batch = new ObjectBatch(store);
    const commit = await writeOn(batch, tip.commit, subject, requests);
    const move = { ref: CHECKPOINTS_REF, to: commit, from: tip.at };
    const update = await publish(log ? { log } : {}, batch, move);
    if (!update.ok) continue;
    rememberTip(store, commit);
    return commit;
  }
  throw new SeamError("SEAM_RECORD_BUSY", { ref: CHECKPOINTS_REF });
}

async function writeOn(
  batch: ObjectBatch,
  tip: string | undefined,
  subject: string,
  requests: readonly CheckpointRequest[],
): Promise<string> {
  const { store } = batch;
  const changes: TreeChange[] = [];
  for (const request of requests) {
    const before = tip === undefined ? undefined : await readCheckpoint(store, request.id, tip);
    changes.push(...(await changesFor(batch, before, request)));
  }
  const root = tip === undefined ? undefined : (await store.info(`${tip}^{tree}`))?.id;
  const tree = await editTree(batch, root, changes);
  const signature = await identityOf(store.repo);
  return batch.writeCommit({
    tree,
    parents: tip === undefined ? [] : [tip],
    author: signature,
    committer: signature,
    message: `${subject}\n`,
  });
}

async function changesFor(
  batch: ObjectBatch,
  before: Checkpoint | undefined,
  { id, parts, branch, commit, fileHashes }: CheckpointRequest,
): Promise<TreeChange[]> {
  const folder = checkpointPath(id);
  const changes: TreeChange[] = [];
  const put = async (path: string, content: string) => {
    changes.push(file(`${folder}/${path}`, await batch.writeBlob(Buffer.from(content))));
  };
  const sessions = new Map(before?.sessions.map((one) => [one.index, one.metadata]));
  const paths = [...(before?.metadata.sessions ?? [])];
  for (const { metadata, transcript, prompts } of parts) {
    const index = indexOf(sessions, metadata.session_id);
    const full: SessionMetadata = {
      ...sessions.get(index),
      ...metadata,
      checkpoint_id: id,
      strategy: STRATEGY,
    };
    sessions.set(index, full);
    // Files of an earlier, longer form of a session are removed; files that are not replaced stay.
    if (transcript) changes.push({ path: rawPath(`${folder}/${index}`), entry: null });
    await put(`${index}/${METADATA}`, json(full));
    await put(`${index}/${PROMPT}`, prompts.join(PROMPT_SEPARATOR));
    const forms: [string, readonly string[]][] = (transcript?.earlier ?? []).map((chunks, at) => [
      earlierTranscript(at + 1),
      chunks,
    ]);
    for (const [name, chunks] of [[TRANSCRIPT, transcript?.chunks ?? []] as const, ...forms]) {
      for (const [at, blob] of chunks.entries()) {
        batch.needs(blob, await restoreOf(batch, blob));
        changes.push(file(`${folder}/${index}/${chunkFileName(name, at)}`, blob));
      }
    }
    if (transcript) await put(`${index}/${CONTENT_HASH}`, transcript.contentHash);
    const at = (name: string) => `/${folder}/${index}/${name}`;
    paths[index] = {
      ...paths[index],
      metadata: at(METADATA),
      ...(transcript && { transcript: at(TRANSCRIPT), content_hash: at(CONTENT_HASH) }),
      prompt: at(PROMPT),
    };
  }
  const all = [...sessions.values()];
  const summary: CheckpointMetadata = {
    ...before?.metadata,
    ...(all[0]?.cli_version !== undefined && { cli_version: all[0].cli_version }),
    version: storeVersion("checkpoint"),
    checkpoint_id: id,
    strategy: STRATEGY,
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit_sha: commit }),
    checkpoints_count: all.reduce((sum, one) => sum + one.checkpoints_count, 0),
    files_touched: [...new Set(all.flatMap(({ files_touched }) => files_touched))].sort(),
    ...(fileHashes && { file_hashes: fileHashes }),
    sessions: paths,
    token_usage: all.reduce(
      (sum, one) => addTokens(sum, one.token_usage ?? noTokens()),
      noTokens(),
    ),
  };
  await put(METADATA, json(summary));
  return changes;
}

/** Chunks are stored before there is a batch: while a clean-up runs they are kept at hand. */
async function restoreOf({ store, repo }: ObjectBatch, blob: string) {
  if (!isCollecting(repo)) return undefined;
  const object = await store.read(blob);
  if (!object) throw new SeamError("SEAM_GIT_OBJECT", { id: blob, detail: "it was removed" });
  return async () => (await store.writeBlob(object.content)) === blob;
}

/** A session keeps its folder for as long as the checkpoint exists. */
function indexOf(sessions: ReadonlyMap<number, SessionMetadata>, sessionId: string): number {
  for (const [index, { session_id }] of sessions) if (session_id === sessionId) return index;
  return sessions.size === 0 ? 0 : Math.max(...sessions.keys()) + 1;
}

function file(path: string, id: string): TreeChange {
  return { path: rawPath(path), entry: { mode: "100644", id } };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
