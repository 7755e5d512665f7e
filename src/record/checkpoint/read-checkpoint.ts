import { parseChunkIndex, reassembleTranscript } from "../../agents/index.ts";
import { storeRefusal } from "../../files/index.ts";
import {
  atRepo,
  type ObjectStore,
  rawPath,
  readTree,
  runGit,
  type TreeEntry,
  treeValueAt,
} from "../../git/index.ts";
import {
  checkpointPath,
  isCheckpointId,
  METADATA,
  PROMPT,
  TRANSCRIPT,
} from "./checkpoint-files.ts";
import type { CheckpointMetadata, SessionMetadata } from "./metadata.ts";
import { checkpointsTip } from "./tip.ts";

const FOLDER = "40000";

export interface StoredSession {
  /** Its folder in the checkpoint: 0, 1, 2 … */
  readonly index: number;
  readonly metadata: SessionMetadata;
}

export interface Checkpoint {
  readonly id: string;
  readonly metadata: CheckpointMetadata;
  readonly sessions: readonly StoredSession[];
  /** The tree of its folder. */
  readonly tree: string;
}

/** A checkpoint by its id; undefined if there is none, or if what is there cannot be understood. */
export async function readCheckpoint(
  store: ObjectStore,
  id: string,
  tip?: string,
): Promise<Checkpoint | undefined> {
  const commit = tip ?? (await checkpointsTip(store));
  if (commit === undefined || !isCheckpointId(id)) return undefined;
  const root = await store.info(`${commit}^{tree}`);
  const folder = root && (await treeValueAt(store, root.id, rawPath(checkpointPath(id))));
  return folder?.mode === FOLDER ? readCheckpointTree(store, id, folder.id) : undefined;
}

/** A checkpoint from the tree of its folder, wherever that is. Throws if a newer Seam wrote it. */
export async function readCheckpointTree(
  store: ObjectStore,
  id: string,
  tree: string,
): Promise<Checkpoint | undefined> {
  const entries = (await readTree(store, tree)) ?? [];
  const found = await readJson<Partial<CheckpointMetadata>>(store, entries, METADATA);
  if (!found) return undefined;
  const refusal = storeRefusal("checkpoint", id, found.version);
  if (refusal) throw refusal;
  const sessions: StoredSession[] = [];
  for (const { name, id: folder, mode } of entries) {
    if (!/^\d+$/.test(name) || mode !== FOLDER) continue;
    const files = (await readTree(store, folder)) ?? [];
    const session = await readJson<Partial<SessionMetadata>>(store, files, METADATA);
    const metadata = session && sessionMetadata(session);
    if (metadata) sessions.push({ index: Number(name), metadata });
  }
  sessions.sort((a, b) => a.index - b.index);
  return { id, metadata: checkpointMetadata(id, found), sessions, tree };
}

/** Other programs write checkpoints too: the fields that all readers need are filled in. */
function checkpointMetadata(id: string, found: Partial<CheckpointMetadata>): CheckpointMetadata {
  const { checkpoint_id = id, strategy = "", checkpoints_count = 0 } = found;
  return {
    ...found,
    checkpoint_id,
    strategy,
    checkpoints_count,
    files_touched: texts(found.files_touched),
    sessions: Array.isArray(found.sessions) ? found.sessions : [],
  };
}

/** Undefined if it does not say which session it is about. */
function sessionMetadata(found: Partial<SessionMetadata>): SessionMetadata | undefined {
  const { session_id, skill_events, blocked_calls, allowed_calls, redactions, ...rest } = found;
  if (typeof session_id !== "string") return undefined;
  return {
    ...rest,
    checkpoint_id: found.checkpoint_id ?? "",
    session_id,
    strategy: found.strategy ?? "",
    created_at: typeof found.created_at === "string" ? found.created_at : "",
    checkpoints_count: found.checkpoints_count ?? 0,
    files_touched: texts(found.files_touched),
    model: typeof found.model === "string" ? found.model : "",
    ...(Array.isArray(skill_events) && { skill_events }),
    ...(Array.isArray(blocked_calls) && { blocked_calls }),
    ...(Array.isArray(allowed_calls) && { allowed_calls }),
    ...(Array.isArray(redactions) && { redactions }),
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** The files of one session of a checkpoint. */
export async function sessionFiles(
  store: ObjectStore,
  { tree }: Checkpoint,
  index: number,
): Promise<TreeEntry[]> {
  return (await readTree(store, tree, rawPath(String(index)))) ?? [];
}

/** The stored transcript of a session, its chunks put together. */
export async function readTranscript(
  store: ObjectStore,
  checkpoint: Checkpoint,
  index: number,
): Promise<Buffer | undefined> {
  const chunks = (await sessionFiles(store, checkpoint, index))
    .map(({ name, id }) => ({ id, chunk: parseChunkIndex(name, TRANSCRIPT) }))
    .filter(({ chunk }) => chunk >= 0)
    .sort((a, b) => a.chunk - b.chunk);
  if (chunks.length === 0) return undefined;
  const contents = await Promise.all(chunks.map(({ id }) => store.read(id)));
  return reassembleTranscript(contents.map((object) => object?.content ?? Buffer.alloc(0)));
}

export async function readPrompt(
  store: ObjectStore,
  checkpoint: Checkpoint,
  index: number,
): Promise<string | undefined> {
  return readText(store, await sessionFiles(store, checkpoint, index), PROMPT);
}

/** Ids of all checkpoints, the one written last first. */
export async function checkpointIds(store: ObjectStore): Promise<string[]> {
  const tip = await checkpointsTip(store);
  if (tip === undefined) return [];
  const { stdout } = await runGit([...atRepo(store.repo), "log", "--format=%s", tip], {
    cwd: store.repo.commonDir,
  });
  const ids = new Set<string>();
  for (const subject of stdout.toString().split("\n")) {
    const id = /\b[Cc]heckpoint: (\S+)$/.exec(subject)?.[1];
    if (id !== undefined && isCheckpointId(id)) ids.add(id);
  }
  // An imported checkpoint has no commit of its own.
  const root = await store.info(`${tip}^{tree}`);
  const there = new Set(root ? await idsInTree(store, root.id) : []);
  return [...[...ids].filter((id) => there.has(id)), ...[...there].filter((id) => !ids.has(id))];
}

async function idsInTree(store: ObjectStore, root: string): Promise<string[]> {
  const shards = ((await readTree(store, root)) ?? []).filter(({ name }) => name.length === 2);
  const found = await Promise.all(
    shards.map(async ({ name, id }) =>
      ((await readTree(store, id)) ?? []).map((entry) => `${name}${entry.name}`),
    ),
  );
  return found.flat().filter(isCheckpointId);
}

async function readText(
  store: ObjectStore,
  entries: readonly TreeEntry[],
  name: string,
): Promise<string | undefined> {
  const entry = entries.find((one) => one.name === name);
  const object = entry && (await store.read(entry.id));
  return object?.content.toString();
}

/** Others write these files too: what is no JSON object counts as missing. */
async function readJson<T extends object>(
  store: ObjectStore,
  entries: readonly TreeEntry[],
  name: string,
): Promise<T | undefined> {
  try {
    const parsed: unknown = JSON.parse((await readText(store, entries, name)) ?? "null");
    return typeof parsed === "object" && parsed !== null ? (parsed as T) : undefined;
  } catch {
    return undefined;
  }
}
